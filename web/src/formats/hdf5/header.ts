// SPDX-License-Identifier: MIT
// Object headers, the lists of messages that describe a group or a dataset. The constants are the
// numbers of message types in the HDF5 File Format Specification.
import { type Cursor, damaged, type FileBytes } from './cursor.js';

/** A message of an object header. */
export interface Message {
  readonly type: number;
  readonly body: Cursor;
}

export const kDataspace = 1;
export const kLinkInfo = 2;
export const kDatatype = 3;
export const kLink = 6;
export const kLayout = 8;
export const kFilters = 11;
export const kAttribute = 12;
const kContinuation = 16;
export const kSymbolTable = 17;
export const kAttributeInfo = 21;

const kShared = 2;

/** Reads all messages of an object header, including those in continuation blocks. */
export function readHeader(file: FileBytes, address: number): Message[] {
  const cursor = file.cursor(address);
  const isVersion2 = file.bytes[address] === 'O'.charCodeAt(0);
  const messages: Message[] = [];
  const blocks = [isVersion2 ? version2Block(cursor) : version1Block(cursor)];
  // Each block is read once, so blocks that continue in each other do not loop forever.
  const seen = new Set<number>();
  for (let block = blocks.pop(); block; block = blocks.pop()) {
    if (seen.has(block.body.at)) throw damaged('its object headers form a circle');
    seen.add(block.body.at);
    for (const message of messagesOf(block)) {
      if (message.type !== kContinuation) messages.push(message);
      else blocks.push(continuation(file, message.body, block));
    }
  }
  return messages;
}

interface Block {
  readonly body: Cursor;
  readonly isVersion2: boolean;
  /** Whether each message has a creation order, which version 2 allows. */
  readonly hasOrder: boolean;
}

function version1Block(cursor: Cursor): Block {
  const version = cursor.u8();
  if (version !== 1) throw damaged(`an object header has the unknown version ${version}`);
  cursor.skip(7);
  const size = cursor.u32();
  return { body: cursor.skip(4).part(size), isVersion2: false, hasOrder: false };
}

function version2Block(cursor: Cursor): Block {
  cursor.expect('OHDR', 'an object header').skip(1);
  const flags = cursor.u8();
  if (flags & 32) cursor.skip(16);
  if (flags & 16) cursor.skip(4);
  const size = cursor.uint(1 << (flags & 3));
  return { body: cursor.part(size), isVersion2: true, hasOrder: (flags & 4) !== 0 };
}

function continuation(file: FileBytes, where: Cursor, from: Block): Block {
  const address = where.address();
  const size = where.length();
  const body = file.cursor(address, size);
  if (!from.isVersion2) return { ...from, body };
  // The last four bytes of the block are its checksum.
  return { ...from, body: body.expect('OCHK', 'a continued object header').part(size - 8) };
}

function* messagesOf({ body, isVersion2, hasOrder }: Block): Generator<Message> {
  const headSize = isVersion2 ? (hasOrder ? 6 : 4) : 8;
  while (body.remaining >= headSize) {
    const type = isVersion2 ? body.u8() : body.u16();
    const size = body.u16();
    const flags = body.u8();
    body.skip(isVersion2 ? (hasOrder ? 2 : 0) : 3);
    const message = { type, body: body.part(size) };
    // A shared message, such as a named type, is stored elsewhere and not read.
    if (flags & kShared && type !== kContinuation) continue;
    yield message;
  }
}

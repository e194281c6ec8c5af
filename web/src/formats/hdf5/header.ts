// SPDX-License-Identifier: MIT
import { type Cursor, damaged, type FileBytes } from './cursor.js';

/** What an object header says: messages of one kind or another. */
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

/** All messages of the object whose header begins at `address`, those of continuation blocks included. */
export function readHeader(file: FileBytes, address: number): Message[] {
  const cursor = file.cursor(address);
  const modern = file.bytes[address] === 'O'.charCodeAt(0);
  const messages: Message[] = [];
  const blocks = [modern ? modernBlock(cursor) : oldBlock(cursor)];
  // A block can only be read once, so that blocks that continue in each other end.
  const seen = new Set<number>();
  for (let block = blocks.pop(); block; block = blocks.pop()) {
    if (seen.has(block.body.at)) throw damaged('its structure runs in circles');
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
  readonly modern: boolean;
  /** Modern messages carry the order of their making when the header says so. */
  readonly ordered: boolean;
}

function oldBlock(cursor: Cursor): Block {
  const version = cursor.u8();
  if (version !== 1) throw damaged(`an object header of version ${version}`);
  cursor.skip(7);
  const size = cursor.u32();
  return { body: cursor.skip(4).part(size), modern: false, ordered: false };
}

function modernBlock(cursor: Cursor): Block {
  cursor.expect('OHDR', 'an object header').skip(1);
  const flags = cursor.u8();
  if (flags & 32) cursor.skip(16);
  if (flags & 16) cursor.skip(4);
  const size = cursor.uint(1 << (flags & 3));
  return { body: cursor.part(size), modern: true, ordered: (flags & 4) !== 0 };
}

function continuation(file: FileBytes, where: Cursor, from: Block): Block {
  const address = where.address();
  const size = where.length();
  const body = file.cursor(address, size);
  if (!from.modern) return { ...from, body };
  // Behind the messages of a modern block stands its checksum.
  return { ...from, body: body.expect('OCHK', 'a continued object header').part(size - 8) };
}

function* messagesOf({ body, modern, ordered }: Block): Generator<Message> {
  const headSize = modern ? (ordered ? 6 : 4) : 8;
  while (body.left >= headSize) {
    const type = modern ? body.u8() : body.u16();
    const size = body.u16();
    const flags = body.u8();
    body.skip(modern ? (ordered ? 2 : 0) : 3);
    const message = { type, body: body.part(size) };
    // The message itself lies elsewhere, as types with a name of their own do.
    if (flags & kShared && type !== kContinuation) continue;
    yield message;
  }
}

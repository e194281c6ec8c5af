// SPDX-License-Identifier: MIT
// The bytes of the data, whose format is detected before they are read.
import { createReadStream, read, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { withReason } from '../files.js';
import { systemError } from '../system_text.js';

const kChunk = 2 ** 16;

/** Joins arrays of bytes. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
}

const readAt = promisify(read);

/** The bytes of an open file from one place to another, or to its end. */
export async function* bytesOf(file: number, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; ) {
    const length = Math.min(kChunk, to - at);
    const { bytesRead, buffer } = await readAt(file, new Uint8Array(length), 0, length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The bytes of a file or of standard input, which may be looked at before they are read. */
export class ByteSource {
  /** Number of bytes of a file; null for a pipe. */
  readonly size: number | null;
  /** Number of bytes that were read. */
  position = 0;
  readonly #path: string;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #ahead: Uint8Array[] = [];

  /** `path` is that of a file, or `-`. FormatError if it cannot be opened. */
  constructor(path: string) {
    this.#path = path;
    const facts = path === '-' ? null : withReason(path, () => statSync(path));
    if (facts?.isDirectory()) throw systemError(path, { code: 'EISDIR' });
    if (facts?.isCharacterDevice() || facts?.isBlockDevice()) {
      throw systemError(path, { message: 'it is a device, not a file' });
    }
    this.size = facts?.isFile() ? facts.size : null;
    const stream = facts ? createReadStream(path, { highWaterMark: kChunk }) : process.stdin;
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  }

  async #next(): Promise<Uint8Array | undefined> {
    try {
      const { value, done } = await this.#chunks.next();
      return done ? undefined : value;
    } catch (error) {
      throw systemError(this.#path, error as NodeJS.ErrnoException);
    }
  }

  /** Returns bytes from the beginning without reading them: more, until `isEnough` or the end. */
  async peek(isEnough: (head: Uint8Array) => boolean): Promise<Uint8Array> {
    for (;;) {
      const head = joined(this.#ahead.length > 0 ? this.#ahead : [new Uint8Array(0)]);
      this.#ahead.splice(0, this.#ahead.length, head);
      if (isEnough(head)) return head;
      const chunk = await this.#next();
      if (!chunk) return head;
      this.#ahead.push(chunk);
    }
  }

  /** Opens the file again, for readers that need any part of it. */
  handle(): Promise<FileHandle> {
    return open(this.#path);
  }

  /** Skips bytes that were peeked at. */
  skip(count: number): void {
    const [head = new Uint8Array(0)] = this.#ahead.splice(0, 1);
    this.#ahead.unshift(head.subarray(count));
    this.position += count;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = this.#ahead.shift() ?? (await this.#next());
      if (!chunk) return;
      this.position += chunk.length;
      if (chunk.length > 0) yield chunk;
    }
  }

  /** Counts bytes that are read in another way. */
  async *counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.position += chunk.length;
      yield chunk;
    }
  }

  /** Reads all bytes. */
  async all(): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
}

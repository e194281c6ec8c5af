// SPDX-License-Identifier: MIT
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { visibleLines } from '../../../src/base/visible.js';
import { systemError } from '../../files.js';

/** Number of characters that are collected before they are written. */
const kMostWaiting = 2 ** 16;
/** Time in ms after which fewer characters are written, too. */
const kLongestWait = 20;

/** Writes a file or standard output piece by piece, and waits while a reader is slow. */
export class ByteSink {
  readonly #path: string;
  readonly #isTerminal: boolean;
  #stream: Writable | undefined;
  #problem: Error | undefined;
  #text = '';
  #written = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The file is opened by the first write. */
  constructor(path: string) {
    this.#path = path;
    this.#isTerminal = path === '-' && process.stdout.isTTY === true;
  }

  #open(): Writable {
    if (this.#stream) return this.#stream;
    const stream = this.#path === '-' ? process.stdout : createWriteStream(this.#path);
    // Errors of standard output are handled by the program: the reader of a pipe may stop early.
    if (this.#path !== '-') {
      stream.on('error', (error) => {
        this.#problem ??= systemError(this.#path, error);
      });
    }
    this.#stream = stream;
    return stream;
  }

  /** Writes bytes. Resolves when more may be written. */
  async bytes(bytes: Uint8Array | string): Promise<void> {
    const stream = this.#open();
    if (this.#problem) throw this.#problem;
    if (stream.write(bytes)) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        stream.off('drain', done);
        stream.off('close', done);
        resolve();
      };
      stream.on('drain', done);
      stream.on('close', done);
    });
    if (this.#problem) throw this.#problem;
  }

  /** Collects text, and writes it after 20 ms or 65,536 characters. */
  async text(text: string): Promise<void> {
    this.#text += this.#isTerminal ? visibleLines(text) : text;
    if (this.#text.length >= kMostWaiting) return this.#flush();
    this.#timer ??= setTimeout(() => {
      // A problem shows at the next write.
      this.#flush().catch(() => {});
    }, kLongestWait);
    return undefined;
  }

  /** Writes the text that waits, when the text before it is written. */
  #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#written = this.#written.then(async () => {
      const text = this.#text;
      this.#text = '';
      if (text !== '') await this.bytes(text);
    });
    return this.#written;
  }

  /** Writes what is left, and closes the file. */
  async end(): Promise<void> {
    await this.#flush();
    const stream = this.#open();
    if (this.#path === '-') return;
    await new Promise<void>((resolve) => {
      stream.once('close', resolve);
      stream.end();
    });
    if (this.#problem) throw this.#problem;
  }
}

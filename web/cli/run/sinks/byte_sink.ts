// SPDX-License-Identifier: MIT
// The file or standard output that writers of predictions write to, piece by piece.
import { visibleLines } from '../../../src/base/visible.js';
import { type ByteOutput, openOutput } from '../../output_file.js';

/** Number of characters that are collected before they are written. */
const kMaxWaiting = 2 ** 16;
/** Time in ms after which fewer characters are written, too. */
const kLongestWait = 20;

/** Where writers of predictions put their bytes or their text. */
export interface ByteTarget {
  /** Writes bytes. Resolves when more may be written. */
  bytes(bytes: Uint8Array): Promise<void>;
  /** Writes text, perhaps later. */
  text(text: string): Promise<void>;
  /** Writes what is left, and completes the file. */
  end(): Promise<void>;
  /** Ends after an error: a file stays as it was; standard output receives what is left. */
  discard(): Promise<void>;
}

/** Writes a file or standard output piece by piece, and waits while a reader is slow. */
export class ByteSink implements ByteTarget {
  readonly #output: ByteOutput;
  readonly #isTerminal: boolean;
  #text: string[] = [];
  #length = 0;
  #written = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(output: ByteOutput, isTerminal: boolean) {
    this.#output = output;
    this.#isTerminal = isTerminal;
  }

  static async open(path: string): Promise<ByteSink> {
    const isTerminal = path === '-' && process.stdout.isTTY === true;
    return new ByteSink(await openOutput(path), isTerminal);
  }

  bytes(bytes: Uint8Array): Promise<void> {
    return this.#output.write(bytes);
  }

  /** Collects text, and writes it after 20 ms or 65,536 characters. */
  async text(text: string): Promise<void> {
    this.#text.push(this.#isTerminal ? visibleLines(text) : text);
    this.#length += text.length;
    if (this.#length >= kMaxWaiting) return this.#flush();
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
      const text = this.#text.splice(0).join('');
      this.#length = 0;
      if (text !== '') await this.#output.write(text);
    });
    return this.#written;
  }

  async end(): Promise<void> {
    await this.#flush();
    await this.#output.end();
  }

  async discard(): Promise<void> {
    await this.#flush().catch(() => {});
    await this.#output.discard();
  }
}

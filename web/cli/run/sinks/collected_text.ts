// SPDX-License-Identifier: MIT
// Text of predictions that is not written where it is computed, or only later.
import type { ByteTarget } from './byte_sink.js';

/** Collects text until a file is open for what follows. */
export class CollectedText implements ByteTarget {
  #texts: string[] = [];
  #target: ByteTarget | undefined;

  /** Returns the text so far in UTF-8, in memory of its own; begins again. */
  take(): Uint8Array {
    return new TextEncoder().encode(this.#texts.splice(0).join(''));
  }

  /** Writes all further text. */
  writeTo(target: ByteTarget): void {
    this.#target = target;
  }

  async text(text: string): Promise<void> {
    if (this.#target) return this.#target.text(text);
    this.#texts.push(text);
    return undefined;
  }

  async bytes(bytes: Uint8Array): Promise<void> {
    await this.#target?.bytes(bytes);
  }

  async end(): Promise<void> {
    await this.#target?.end();
  }

  async discard(): Promise<void> {
    await this.#target?.discard();
  }
}

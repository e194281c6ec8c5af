// SPDX-License-Identifier: MIT
// The machine that opcodes act on, and the interface of dialects: plain_dialect.ts reads pickles of
// any program, torch/torch_dialect.ts those of PyTorch.
import { FormatError } from '../../base/errors.js';
import { decodeUtf8 } from '../../engine/utf8.js';
import type { Budget } from '../open/budget.js';

const kLineFeed = 0x0a;

/** A limit on text is counted for this name. */
const kPickle = 'the pickle';

/** Resolves a persistent id: PyTorch's name of a storage. */
export type Resolve = (id: unknown) => unknown;

/** The effect of an opcode. */
export type Step = (pickle: PickleReader) => void;

/** How a kind of pickle is read: which opcodes it has, and what calls become. */
export interface Dialect {
  readonly opcodes: { readonly [code: number]: Step };
  /** Returns the error for an opcode that is not among these. */
  unknownOpcode(code: number, at: number): Error;
  /** Returns the value of a call; `callee` is a name or a value that cannot be called. */
  call(callee: unknown, args: readonly unknown[], pickle: PickleReader): unknown;
  /** Returns an object of a class without running its constructor. */
  create(name: string, args: unknown): unknown;
  /** Returns what replaces an object whose attributes are set. */
  built?(target: unknown, pickle: PickleReader): unknown;
}

/** Reads the parts of a pickle, and keeps its stack and its memo. */
export class PickleReader {
  readonly #view: DataView;
  #stack: unknown[] = [];
  readonly #marks: unknown[][] = [];
  readonly #memo = new Map<number, unknown>();

  constructor(
    readonly file: Uint8Array,
    /** Position of the next byte. */
    public at: number,
    readonly budget: Budget,
    readonly persistent: Resolve,
    readonly dialect: Dialect,
    /** Number of pickles around this one. */
    readonly depth = 0,
  ) {
    this.#view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  }

  damaged(what: string): FormatError {
    return new FormatError(`the pickle is damaged: ${what} (before byte ${this.at})`);
  }

  /** Skips `size` bytes and returns the position of the first one. */
  #take(size: number): number {
    const from = this.at;
    if (size > this.file.length - from) {
      throw this.damaged(`it needs ${size} bytes more, but has ${this.file.length - from}`);
    }
    this.at += size;
    return from;
  }

  /** Reads an unsigned integer of 1, 2, 4 or 8 bytes. */
  uint(size: number): number {
    const from = this.#take(size);
    let value = 0;
    for (let i = size; i-- > 0; ) value = value * 256 + (this.file[from + i] as number);
    return value;
  }

  /** Reads an integer of any size in two's complement; a bigint if a number cannot hold it. */
  long(size: number): number | bigint {
    if (size > 256) throw this.damaged(`an integer has ${size} bytes`);
    const from = this.#take(size);
    let value = 0n;
    for (let i = size; i-- > 0; ) value = value * 256n + BigInt(this.file[from + i] as number);
    const signed = BigInt.asIntN(8 * size, value);
    return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed;
  }

  double(): number {
    return this.#view.getFloat64(this.#take(8));
  }

  /** Reads bytes after their number, an integer of `size` bytes. */
  bytes(size: number): Uint8Array {
    const length = this.uint(size);
    const from = this.#take(length);
    return this.file.subarray(from, from + length);
  }

  /**
   * Moves past the end of data that is not part of the pickle; returns the position where it
   * begins.
   */
  skip(size: number): number {
    return this.#take(size);
  }

  text(size: number): string {
    const bytes = this.bytes(size);
    this.budget.spend('text', bytes.length, kPickle);
    return decodeUtf8(bytes);
  }

  /** Reads bytes up to a line feed, and moves past it. */
  lineBytes(): Uint8Array {
    const end = this.file.indexOf(kLineFeed, this.at);
    if (end < 0) throw this.damaged('a line has no end');
    const from = this.#take(end + 1 - this.at);
    this.budget.spend('text', end - from, kPickle);
    return this.file.subarray(from, end);
  }

  line(): string {
    return decodeUtf8(this.lineBytes());
  }

  get top(): unknown {
    if (this.#stack.length === 0) throw this.damaged('its stack is empty');
    return this.#stack[this.#stack.length - 1];
  }

  push(value: unknown): void {
    this.#stack.push(value);
  }

  /** Removes values from the stack and returns them, the last one last. */
  pop(count: number): unknown[] {
    if (this.#stack.length < count) throw this.damaged('its stack is empty');
    return this.#stack.splice(this.#stack.length - count);
  }

  mark(): void {
    this.#marks.push(this.#stack);
    this.#stack = [];
  }

  /** Removes the values above the last mark and returns them. */
  popMark(): unknown[] {
    const values = this.#stack;
    const before = this.#marks.pop();
    if (!before) throw this.damaged('it has no mark');
    this.#stack = before;
    return values;
  }

  get memoSize(): number {
    return this.#memo.size;
  }
  remember(index: number): void {
    this.#memo.set(index, this.top);
  }
  recall(index: number): unknown {
    if (!this.#memo.has(index)) throw this.damaged(`it has no value ${index} to repeat`);
    return this.#memo.get(index);
  }
}

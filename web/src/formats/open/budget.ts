// SPDX-License-Identifier: MIT
// The limits of one load, passed from openSource to every reader, so that a hostile file costs
// neither memory nor time without end.
import { FormatError } from '../../base/errors.js';
import { nextTask } from '../../base/next_task.js';
import type { Limits } from '../../base/model_source.js';
import { allLimits, kDataLimits } from './limits.js';

type Counted = 'bytes' | 'text' | 'entries' | 'nodes' | 'metrics' | 'thresholds';

/** Units of the limits, for messages. */
const units: Record<keyof Limits, string> = {
  bytes: 'bytes',
  ratio: 'times its packed size',
  text: 'bytes of text',
  entries: 'parts',
  nodes: 'values',
  metrics: 'losses and metrics',
  thresholds: 'thresholds',
  depth: 'levels',
  milliseconds: 'milliseconds',
};

/** Bytes that may be unpacked whatever the ratio. */
const kFreeBytes = 2 ** 26;
/** Calls of `tick` between two looks at the clock. */
const kTicks = 4096;
/** Longest time of work between two pauses, in ms. */
const kSlice = 40;

/** Counts what one call spends on its files, against limits. Every reader receives it. */
export class Budget {
  readonly limits: Required<Limits>;
  readonly signal: AbortSignal | undefined;
  readonly #spent = { bytes: 0, text: 0, entries: 0, nodes: 0, metrics: 0, thresholds: 0 };
  #packed = 0;
  #unpacked = 0;
  #ticks = 0;
  #since = performance.now();
  #paused = this.#since;

  constructor(limits?: Limits, signal?: AbortSignal, defaults?: Required<Limits>) {
    this.limits = allLimits(limits, defaults);
    this.signal = signal;
  }

  /** Returns a budget with the defaults for inputs and recordings. */
  static ofData(limits?: Limits, signal?: AbortSignal): Budget {
    return new Budget(limits, signal, kDataLimits);
  }

  /** Adds to a count. FormatError above its limit; the message names the place `what`. */
  spend(limit: Counted, count: number, what: string): void {
    this.#spent[limit] += count;
    if (this.#spent[limit] > this.limits[limit]) this.#exceeded(limit, this.#spent[limit], what);
    this.tick();
  }

  /** Number of bytes that may still be read. */
  get bytesLeft(): number {
    return Math.max(0, this.limits.bytes - this.#spent.bytes);
  }

  /** Counts bytes of a file; the ratio of unpacked bytes refers to them. */
  read(count: number, what: string): void {
    this.#packed += count;
    this.spend('bytes', count, what);
  }

  /** Counts bytes about to be unpacked, and checks their ratio to all bytes read. */
  unpack(count: number, what: string): void {
    this.#unpacked += count;
    const times = this.#unpacked / Math.max(1, this.#packed);
    if (this.#unpacked > kFreeBytes && times > this.limits.ratio) {
      this.#exceeded(
        'ratio',
        `${this.#unpacked} bytes from ${this.#packed}, ${Math.ceil(times)}`,
        what,
      );
    }
    this.spend('bytes', count, what);
  }

  /** Throws FormatError for a nesting above the limit. */
  checkDepth(depth: number, what: string): void {
    if (depth > this.limits.depth) this.#exceeded('depth', depth, what);
  }

  /** Checks the clock after every 4,096 items; long loops call it for each item, or for several. */
  tick(items = 1): void {
    this.#ticks += items;
    if (this.#ticks < kTicks) return;
    this.#ticks = 0;
    this.check();
  }

  /** Throws FormatError before work of this many ms, which nothing can stop, beyond the limit. */
  expect(milliseconds: number, what: string): void {
    this.check();
    const end = performance.now() - this.#since + milliseconds;
    if (end > this.limits.milliseconds) this.#exceeded('milliseconds', Math.round(end), what);
  }

  /** Throws the signal's reason if it was aborted; throws FormatError after the time limit. */
  check(): void {
    this.signal?.throwIfAborted();
    const elapsed = performance.now() - this.#since;
    if (elapsed > this.limits.milliseconds) {
      this.#exceeded('milliseconds', Math.round(elapsed), 'reading the file');
    }
  }

  /** Lets the thread handle events if it was busy for 40 ms. */
  async pause(): Promise<void> {
    this.check();
    if (performance.now() - this.#paused < kSlice) return;
    await this.wait(nextTask());
    this.check();
  }

  /** Waits for a promise, without counting the time. */
  async wait<T>(promise: Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await promise;
    } finally {
      this.#paused = performance.now();
      this.#since += this.#paused - start;
    }
  }

  /** Runs work that is not reading, without counting its time. */
  uncounted<T>(work: () => T): T {
    const start = performance.now();
    const result = work();
    this.#since += performance.now() - start;
    return result;
  }

  #exceeded(limit: keyof Limits, amount: number | string, what: string): never {
    const allowed = this.limits[limit];
    throw new FormatError(
      `${what}: ${amount} ${units[limit]}, more than the ${allowed} that limits.${limit} allows. If you trust the file, raise the limit: { limits: { ${limit}: … } }`,
    );
  }
}

/** Runs work in pieces without pauses. */
export function atOnce<T>(work: Generator<void, T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** Runs work in pieces, with pauses in which the thread handles events. */
export async function inPieces<T>(work: Generator<void, T>, budget: Budget): Promise<T> {
  let step = work.next();
  while (!step.done) {
    await budget.pause();
    step = work.next();
  }
  return step.value;
}

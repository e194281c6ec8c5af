// SPDX-License-Identifier: MIT
import { FormatError } from '../../base/errors.js';
import { nextTask } from '../../base/next_task.js';
import type { Limits } from '../../base/model_source.js';
import { allLimits, kDataLimits } from './limits.js';

type Counted = 'bytes' | 'text' | 'entries' | 'nodes' | 'metrics' | 'thresholds';

const words: Record<keyof Limits, string> = {
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

const kFreely = 2 ** 26;
const kTicks = 4096;
/** Longest that a thread is held up where it can be helped, in ms. */
const kSlice = 40;

/** What one call may still spend on its files. Readers hand it along and count in it what they find. */
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

  /** Of inputs and recordings. */
  static ofData(limits?: Limits): Budget {
    return new Budget(limits, undefined, kDataLimits);
  }

  /** Counts what was found, or is about to be read. FormatError beyond the limit; `what` has it. */
  spend(limit: Counted, count: number, what: string): void {
    this.#spent[limit] += count;
    if (this.#spent[limit] > this.limits[limit]) this.#exceeded(limit, this.#spent[limit], what);
    this.tick();
  }

  /** How many bytes may still be read. */
  get bytesLeft(): number {
    return Math.max(0, this.limits.bytes - this.#spent.bytes);
  }

  /** Counts bytes of a file, out of which others may be unpacked. */
  read(count: number, what: string): void {
    this.#packed += count;
    this.spend('bytes', count, what);
  }

  /** Counts what is about to be unpacked, out of all that was read. */
  unpack(count: number, what: string): void {
    this.#unpacked += count;
    const times = this.#unpacked / Math.max(1, this.#packed);
    if (this.#unpacked > kFreely && times > this.limits.ratio) {
      this.#exceeded(
        'ratio',
        `${this.#unpacked} bytes from ${this.#packed}, ${Math.ceil(times)}`,
        what,
      );
    }
    this.spend('bytes', count, what);
  }

  deep(depth: number, what: string): void {
    if (depth > this.limits.depth) this.#exceeded('depth', depth, what);
  }

  /** To be called again and again in what may take long: looks at the clock now and then. */
  tick(): void {
    if (++this.#ticks % kTicks === 0) this.check();
  }

  /** Is there time left, and is the file still wanted? */
  check(): void {
    this.signal?.throwIfAborted();
    const took = performance.now() - this.#since;
    if (took > this.limits.milliseconds) {
      this.#exceeded('milliseconds', Math.round(took), 'reading the file');
    }
  }

  /** Between two pieces of work: lets events in where the thread has been busy for a while. */
  async pause(): Promise<void> {
    this.check();
    if (performance.now() - this.#paused < kSlice) return;
    await this.wait(nextTask());
    this.check();
  }

  /** Time spent waiting is not counted. */
  async wait<T>(promise: Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await promise;
    } finally {
      this.#paused = performance.now();
      this.#since += this.#paused - start;
    }
  }

  #exceeded(limit: keyof Limits, found: number | string, what: string): never {
    const most = this.limits[limit];
    throw new FormatError(
      `${what}: ${found} ${words[limit]}, more than the ${most} that limits.${limit} allows; no usual file has as many. For a file that you trust raise it: { limits: { ${limit}: … } }`,
    );
  }
}

/** Work in pieces, done at once. */
export function atOnce<T>(work: Generator<void, T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** Work in pieces, with pauses in which the thread hears events. */
export async function inPieces<T>(work: Generator<void, T>, budget: Budget): Promise<T> {
  let step = work.next();
  while (!step.done) {
    await budget.pause();
    step = work.next();
  }
  return step.value;
}

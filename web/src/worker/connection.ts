// SPDX-License-Identifier: MIT
import { checkSignal } from '../base/check.js';
import { StateError, ValueError } from '../base/errors.js';
import { CrashError, errorFromWire, TimeLimitError } from './failures.js';
import type { Reply, TrainingWord } from './messages.js';
import type { Port } from './port.js';

export interface Sending {
  signal?: AbortSignal | undefined;
  /** Milliseconds until the worker is ended; else those of the worker. */
  timeLimit?: number | undefined;
  transfer?: readonly ArrayBuffer[];
  /** What a request reports: bytes that were loaded, or what happens in `fit`. */
  onProgress?: ((progress: never) => void) | undefined;
  /** Is given what tells the worker more while the request runs; nothing happens once it has ended. */
  onSent?: ((tell: Tell) => void) | undefined;
}

export type Tell = (word: TrainingWord, transfer?: readonly ArrayBuffer[]) => void;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
  onProgress: Sending['onProgress'];
}

/** What keeps no worker busy for long, and must go through in any case. */
const kUnlimited = new Set(['start', 'memory', 'dispose']);

/** Longest that timers of JavaScript can wait, in ms: 24 days. */
const kLongest = 2 ** 31 - 1;

/** Milliseconds, or undefined for no limit. ValueError for what is no time. */
export function checkedTime(timeLimit: number | undefined): number | undefined {
  if (timeLimit === undefined || timeLimit === Number.POSITIVE_INFINITY) return undefined;
  if (typeof timeLimit === 'number' && timeLimit > 0) return Math.min(timeLimit, kLongest);
  throw new ValueError(`timeLimit is ${String(timeLimit)} but must be milliseconds above 0`);
}

/** Requests to one worker and their answers. */
export class Connection {
  readonly #port: Port;
  readonly #timeLimit: number | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #lost: Error | undefined;
  #last = 0;
  /** Called once, when the worker is gone without having been closed. */
  onLost: (error: Error) => void = () => {};

  constructor(port: Port, timeLimit?: number) {
    this.#port = port;
    this.#timeLimit = timeLimit;
    port.listen(
      (message) => this.#received(message as Reply),
      (error) => this.#end(error, true),
    );
  }

  /** Fails with the worker's error, or at once with the reason of a signal. */
  async request<T>(op: string, model: number, args: unknown, sending: Sending = {}): Promise<T> {
    const { signal, transfer = [], onProgress } = sending;
    const own = checkedTime(sending.timeLimit) ?? this.#timeLimit;
    const timeLimit = sending.timeLimit === Number.POSITIVE_INFINITY ? undefined : own;
    return new Promise<unknown>((resolve, reject) => {
      checkSignal(signal);
      if (this.#lost) throw this.#lost;
      const id = ++this.#last;
      const stop = (): void => {
        this.#settle(id)?.reject(signal?.reason);
        this.#port.post({ id, op: 'cancel' }, []);
      };
      const finish =
        <V>(settle: (value: V) => void) =>
        (value: V): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', stop);
          settle(value);
        };
      try {
        this.#port.post({ id, op, model, args }, transfer);
      } catch (error) {
        throw new ValueError(
          `what was given cannot go to a worker: ${(error as Error).message}; give plain data`,
        );
      }
      const limited = timeLimit !== undefined && !kUnlimited.has(op);
      const timer = limited
        ? setTimeout(() => this.#late(id, op, timeLimit), timeLimit)
        : undefined;
      if (this.#waiting.size === 0) this.#port.hold(true);
      this.#waiting.set(id, { resolve: finish(resolve), reject: finish(reject), onProgress });
      signal?.addEventListener('abort', stop);
      sending.onSent?.((word, more = []) => {
        if (this.#waiting.has(id)) this.#port.post({ id, op: 'tell', word }, more);
      });
    }) as Promise<T>;
  }

  /** Word that needs no answer, and none to be left to hear it. */
  tell(op: string, model: number): void {
    if (!this.#lost) this.request(op, model, null).catch(() => {});
  }

  /** Ends the worker. What still waits fails with a StateError. */
  close(): void {
    this.#end(new StateError('the worker was closed; open another one with openWorker()'), false);
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting && this.#waiting.size === 0) this.#port.hold(false);
    return waiting;
  }

  /** Nothing else stops a worker in the midst of a computation. */
  #late(id: number, op: string, timeLimit: number): void {
    this.#settle(id)?.reject(new TimeLimitError(op, timeLimit));
    const why = `the worker was ended because '${op}' took more than ${timeLimit} ms`;
    this.#end(new CrashError(why), true);
  }

  /** An error of `onProgress`, which may be async, ends the call that it is told of. */
  async #report(id: number, progress: unknown): Promise<void> {
    try {
      await this.#waiting.get(id)?.onProgress?.(progress as never);
    } catch (error) {
      const waiting = this.#settle(id);
      if (!waiting) return;
      waiting.reject(error as Error);
      this.#port.post({ id, op: 'cancel' }, []);
    }
  }

  #received(reply: Reply): void {
    if ('progress' in reply) {
      void this.#report(reply.id, reply.progress);
      return;
    }
    const waiting = this.#settle(reply.id);
    if ('error' in reply) waiting?.reject(errorFromWire(reply.error));
    else waiting?.resolve(reply.result);
  }

  /** Ends the worker, too: on a page one whose code has thrown would live on. */
  #end(error: Error, told: boolean): void {
    if (this.#lost) return;
    this.#lost = error;
    this.#port.close();
    for (const id of [...this.#waiting.keys()]) this.#settle(id)?.reject(error);
    if (told) this.onLost(error);
  }
}

// SPDX-License-Identifier: MIT
// The page's side of the messages in messages.ts: it numbers requests, and cancels and times them.
import { checkSignal } from '../base/check.js';
import { StateError, ValueError } from '../base/errors.js';
import { CrashError, errorFromWire, TimeLimitError } from './failures.js';
import type { Reply, TrainingWord } from './messages.js';
import type { Port } from './port.js';

/** Options of a request. */
export interface Sending {
  /** Cancels the request: it rejects with the reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds until the worker is ended. Default: the limit of the worker. */
  timeLimit?: number | undefined;
  /** Buffers that are moved to the worker, not copied. */
  transfer?: readonly ArrayBuffer[];
  /** Receives reports of the request: bytes loaded so far, or events of `fit`. */
  onProgress?: ((progress: never) => void) | undefined;
  /**
   * Receives a function that sends further messages while the request runs, such as a pause of
   * training. After the request, the function does nothing.
   */
  onSent?: ((tell: Tell) => void) | undefined;
}

/** Sends the worker a message about a running request. */
export type Tell = (word: TrainingWord, transfer?: readonly ArrayBuffer[]) => void;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
  onProgress: Sending['onProgress'];
}

/** Names of requests without a time limit, because they are short and must not fail. */
const kUnlimited = new Set(['start', 'memory', 'dispose']);

/** Longest time that JavaScript's timers can wait, in ms: 24 days. */
const kLongest = 2 ** 31 - 1;

/**
 * Returns milliseconds; undefined for no limit. Throws ValueError for anything that is not a time.
 */
export function checkTime(timeLimit: number | undefined): number | undefined {
  if (timeLimit === undefined || timeLimit === Number.POSITIVE_INFINITY) return undefined;
  if (typeof timeLimit === 'number' && timeLimit > 0) return Math.min(timeLimit, kLongest);
  throw new ValueError(`timeLimit is ${String(timeLimit)} but must be milliseconds above 0`);
}

/** The requests to one worker, and its answers. */
export class Connection {
  readonly #port: Port;
  readonly #timeLimit: number | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #lost: Error | undefined;
  #last = 0;
  /** Called once, if the worker ends without a call of close(). */
  onLost: (error: Error) => void = () => {};

  constructor(port: Port, timeLimit?: number) {
    this.#port = port;
    this.#timeLimit = timeLimit;
    port.listen(
      (message) => this.#received(message as Reply),
      (error) => this.#end(error, true),
    );
  }

  /** Sends a request. Rejects with the worker's error, or at once with the reason of the signal. */
  async request<T>(op: string, model: number, args: unknown, sending: Sending = {}): Promise<T> {
    const { signal, transfer = [], onProgress } = sending;
    const limit = checkTime(sending.timeLimit) ?? this.#timeLimit;
    const timeLimit = sending.timeLimit === Number.POSITIVE_INFINITY ? undefined : limit;
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
          `the arguments cannot be sent to a worker: ${(error as Error).message}; pass plain data`,
        );
      }
      const hasLimit = timeLimit !== undefined && !kUnlimited.has(op);
      const timer = hasLimit
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

  /** Sends a request whose answer is ignored, if the worker still runs. */
  tell(op: string, model: number): void {
    if (!this.#lost) this.request(op, model, null).catch(() => {});
  }

  /** Ends the worker. Requests that still wait fail with a StateError. */
  close(): void {
    this.#end(new StateError('the worker was closed; open another one with openWorker()'), false);
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting && this.#waiting.size === 0) this.#port.hold(false);
    return waiting;
  }

  /** Ends the worker: a computation cannot be stopped in any other way. */
  #late(id: number, op: string, timeLimit: number): void {
    this.#settle(id)?.reject(new TimeLimitError(op, timeLimit));
    const reason = `the worker was ended because '${op}' took more than ${timeLimit} ms`;
    this.#end(new CrashError(reason), true);
  }

  /** Calls `onProgress`, which may be async. An error of it ends the request. */
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

  /** Also ends the worker: in a browser, a worker continues to run after an uncaught error. */
  #end(error: Error, isLost: boolean): void {
    if (this.#lost) return;
    this.#lost = error;
    this.#port.close();
    for (const id of [...this.#waiting.keys()]) this.#settle(id)?.reject(error);
    if (isLost) this.onLost(error);
  }
}

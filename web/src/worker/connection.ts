// SPDX-License-Identifier: MIT
import { checkSignal } from '../check.js';
import { StateError, ValueError } from '../errors.js';
import type { Progress } from '../formats/source.js';
import { errorFromWire } from './failures.js';
import type { Reply } from './messages.js';
import type { Port } from './port.js';

export interface Sending {
  signal?: AbortSignal | undefined;
  transfer?: readonly ArrayBuffer[];
  onProgress?: ((progress: Progress) => void) | undefined;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
  onProgress: Sending['onProgress'];
}

/** Requests to one worker and their answers. */
export class Connection {
  readonly #port: Port;
  readonly #waiting = new Map<number, Waiting>();
  #lost: Error | undefined;
  #last = 0;
  /** Called once, when the worker is gone without having been closed. */
  onLost: (error: Error) => void = () => {};

  constructor(port: Port) {
    this.#port = port;
    port.listen(
      (message) => this.#received(message as Reply),
      (error) => this.#end(error, true),
    );
  }

  /** Fails with the worker's error, or at once with the reason of a signal. */
  request<T>(op: string, model: number, args: unknown, sending: Sending = {}): Promise<T> {
    const { signal, transfer = [], onProgress } = sending;
    return new Promise<unknown>((resolve, reject) => {
      checkSignal(signal);
      signal?.throwIfAborted();
      if (this.#lost) throw this.#lost;
      const id = ++this.#last;
      const stop = (): void => {
        this.#settle(id)?.reject(signal?.reason);
        this.#port.post({ id, op: 'cancel' }, []);
      };
      const finish =
        <V>(settle: (value: V) => void) =>
        (value: V): void => {
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
      if (this.#waiting.size === 0) this.#port.hold(true);
      this.#waiting.set(id, { resolve: finish(resolve), reject: finish(reject), onProgress });
      signal?.addEventListener('abort', stop);
    }) as Promise<T>;
  }

  /** Word that needs no answer, and none to be left to hear it. */
  tell(op: string, model: number): void {
    if (!this.#lost) this.request(op, model, null).catch(() => {});
  }

  /** Ends the worker. What still waits fails with a StateError. */
  close(): void {
    this.#end(new StateError('the worker was closed; open another one with openWorker()'), false);
    this.#port.close();
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting && this.#waiting.size === 0) this.#port.hold(false);
    return waiting;
  }

  #received(reply: Reply): void {
    if ('progress' in reply) {
      this.#waiting.get(reply.id)?.onProgress?.(reply.progress);
      return;
    }
    const waiting = this.#settle(reply.id);
    if ('error' in reply) waiting?.reject(errorFromWire(reply.error));
    else waiting?.resolve(reply.result);
  }

  #end(error: Error, told: boolean): void {
    if (this.#lost) return;
    this.#lost = error;
    for (const id of [...this.#waiting.keys()]) this.#settle(id)?.reject(error);
    if (told) this.onLost(error);
  }
}

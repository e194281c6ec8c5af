// SPDX-License-Identifier: MIT
import { checkSignal, optionsOf, refuse, checkOptions } from '../base/check.js';
import { StateError } from '../base/errors.js';
import type { ModelSource } from '../base/model_source.js';
import type { ReadyOptions } from '../engine/runtime.js';
import { onlyBy } from './failures.js';
import {
  type WorkerLoadOptions,
  type WorkerOptions,
  startOptions,
  workerOptions,
} from './open_worker.js';
import { PoolMember } from './pool_member.js';
import { PoolModel } from './pool_model.js';
import type { Task, TaskQueue } from './task_queue.js';
import { loadToWire } from './wire_source.js';

export interface PoolOptions extends WorkerOptions {
  /** How many workers, 1 to 64. Default: as many as there are cores, at most 8. */
  size?: number;
  /** How many predictions (and other calls) may wait or run at a time; one more is a StateError. Default 64. */
  queue?: number;
}

/** Several workers, each with models of its own. */
export class WorkerPool implements TaskQueue {
  readonly #members: PoolMember[];
  readonly #idle: PoolMember[];
  readonly #tasks: Task[] = [];
  readonly #queue: number;
  #calls = 0;
  #closed = false;
  #waiting: (() => void)[] = [];

  /** @internal */
  constructor(members: PoolMember[], queue: number) {
    onlyBy('openPool()', Array.isArray(members) && members.every((m) => m instanceof PoolMember));
    this.#members = members;
    this.#idle = [...members];
    this.#queue = queue;
  }

  /** The number of workers. */
  get size(): number {
    return this.#members.length;
  }
  /** Predictions that wait or run. */
  get pending(): number {
    return this.#calls;
  }

  /**
   * Loads a model in every worker; progress is that of the first. A source of bytes is kept, for a worker that has to be
   * replaced.
   */
  async loadModel(source: ModelSource, options: WorkerLoadOptions = {}): Promise<PoolModel> {
    this.#check();
    checkSignal(optionsOf(options).signal);
    const wire = await loadToWire(source, options);
    const { onProgress: _, ...quiet } = options;
    const key = {};
    const loads = this.#members.map((member, i) =>
      member.load(key, wire, i === 0 ? options : quiet),
    );
    const results = await Promise.allSettled(loads);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) {
      this.forget(key);
      throw failed.reason;
    }
    return new PoolModel(this, key, await (this.#members[0] as PoolMember).model(key));
  }

  /**
   * When one more prediction can be taken: a loop that awaits it before each `predict` needs little memory for a stream of
   * any length.
   */
  async room(): Promise<void> {
    while (this.#calls >= this.#queue && !this.#closed) {
      await new Promise<void>((done) => this.#waiting.push(done));
    }
    this.#check();
  }

  /** Ends all workers at once; what still waits or runs fails with a StateError. */
  close(): void {
    this.#closed = true;
    for (const member of this.#members) member.close();
    this.#wake();
    this.#next();
  }
  [Symbol.dispose](): void {
    this.close();
  }

  /** Counts a prediction while it lasts. @internal */
  async enter<T>(run: () => Promise<T>): Promise<T> {
    this.#check();
    if (this.#calls >= this.#queue) {
      throw new StateError(
        `the pool's queue is full: ${this.#calls} predictions wait or run; await pool.room() first, or open it with a longer queue`,
      );
    }
    this.#calls++;
    try {
      return await run();
    } finally {
      this.#calls--;
      this.#wake();
    }
  }

  /** @internal */
  submit(task: Task): void {
    this.#tasks.push(task);
    this.#next();
  }

  /** @internal */
  forget(key: object): void {
    for (const member of this.#members) member.forget(key);
  }

  #next(): void {
    for (let task = this.#take(); task; task = this.#take()) {
      const member = this.#idle.shift() as PoolMember;
      task.run(member).finally(() => {
        this.#idle.push(member);
        this.#next();
      });
    }
  }

  #take(): Task | undefined {
    if (this.#idle.length === 0) return undefined;
    let task = this.#tasks.shift();
    while (task?.cancelled) task = this.#tasks.shift();
    return task;
  }

  #wake(): void {
    for (const done of this.#waiting.splice(0)) done();
  }

  #check(): void {
    if (this.#closed) throw new StateError('the pool was closed; open another one with openPool()');
  }
}

function checked(name: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  refuse(name, `a whole number from 1 to ${most}`, value);
}

const cores = (): number =>
  (globalThis as { navigator?: { hardwareConcurrency?: number } }).navigator?.hardwareConcurrency ??
  4;

/**
 * Starts several workers that share predictions, by rows. They need no isolation headers: each has an instance of its
 * own of one compiled module, and weights of its own.
 *
 * @example
 * const pool = await openPool({ size: 4 });
 * const model = await pool.loadModel('model.keras');
 * (await model.predict(ids, { signal })).array();
 */
export async function openPool(options: PoolOptions = {}): Promise<WorkerPool> {
  const {
    size = Math.min(8, cores()),
    queue = 64,
    ...rest
  } = checkOptions(options, {
    ...workerOptions,
    size: 1,
    queue: 1,
  });
  checked('size', size, 64);
  checked('queue', queue, 1_000_000);
  const settings: ReadyOptions = await startOptions(rest);
  const opened = await Promise.allSettled(
    Array.from({ length: size }, () => PoolMember.open(settings, rest)),
  );
  const members = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = opened.find((result) => result.status === 'rejected');
  if (!failed) return new WorkerPool(members, queue);
  for (const member of members) member.close();
  throw failed.reason;
}

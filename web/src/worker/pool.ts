// SPDX-License-Identifier: MIT
// `openPool` of maskflow/worker.
import { Identity } from '../base/identity.js';
import { cores } from '../engine/cores.js';
import { checkSignal, optionsOf, refuse, checkOptions } from '../base/check.js';
import { StateError } from '../base/errors.js';
import type { ModelSource } from '../base/model_source.js';
import { nodeThreads } from '../engine/node_threads.js';
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

/** Options of `openPool`. */
export interface PoolOptions extends WorkerOptions {
  /**
   * Number of workers, 1 to 64. Default: the number of cores, at most 8, divided by `threads`.
   */
  size?: number;
  /**
   * Number of threads in each worker; see `ready` of `maskflow`. 'auto' divides the cores among the
   * workers. Default: 1.
   */
  threads?: number | 'auto';
  /**
   * Largest number of calls that wait or run at a time; another call throws StateError. Default:
   * calls wait, however many there are.
   */
  queue?: number;
}

/** Calls that `room` allows in a pool without a limit. */
const kRoom = 64;

/** Several workers with the same models, which share predictions. */
export class WorkerPool extends Identity implements TaskQueue {
  readonly #members: PoolMember[];
  readonly #idle: PoolMember[];
  readonly #tasks: Task[] = [];
  readonly #queue: number | undefined;
  #calls = 0;
  #closed = false;
  #waiting: (() => void)[] = [];

  /** @internal */
  constructor(members: PoolMember[], queue?: number) {
    super();
    onlyBy('openPool()', Array.isArray(members) && members.every((m) => m instanceof PoolMember));
    this.#members = members;
    this.#idle = [...members];
    this.#queue = queue;
  }

  /** Number of workers. */
  get size(): number {
    return this.#members.length;
  }
  /** Number of calls that wait or run. */
  get pending(): number {
    return this.#calls;
  }

  /**
   * Loads a model in every worker. `onProgress` reports on the first one. The pool keeps a source
   * of bytes, so that it can replace a worker.
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
   * Resolves when fewer than `queue` calls (default: 64) wait or run. A loop that awaits it before
   * each `predict` needs little memory, however many calls it makes.
   */
  async room(): Promise<void> {
    while (this.#calls >= (this.#queue ?? kRoom) && !this.#closed) {
      await new Promise<void>((done) => this.#waiting.push(done));
    }
    this.#check();
  }

  /** Ends all workers at once. Calls that wait or run fail with a StateError. */
  close(): void {
    this.#closed = true;
    for (const member of this.#members) member.close();
    this.#wake();
    this.#runTasks();
  }
  /** Calls `close()`; for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  /** Counts a call while it runs. Throws StateError beyond the limit. @internal */
  async enter<T>(run: () => Promise<T>): Promise<T> {
    this.#check();
    if (this.#queue !== undefined && this.#calls >= this.#queue) {
      throw new StateError(
        `the pool's queue is full: ${this.#calls} calls wait or run; await pool.room() first, or open the pool with a longer queue, or without a limit`,
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
    this.#runTasks();
  }

  /** @internal */
  forget(key: object): void {
    for (const member of this.#members) member.forget(key);
  }

  #runTasks(): void {
    for (let task = this.#nextTask(); task; task = this.#nextTask()) {
      const member = this.#idle.shift() as PoolMember;
      task.run(member).finally(() => {
        this.#idle.push(member);
        this.#runTasks();
      });
    }
  }

  #nextTask(): Task | undefined {
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

function checkCount(name: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  refuse(name, `an integer from 1 to ${max}`, value);
}

/** The workers share the cores with the threads of each. */
function usualSize(threads: unknown): number {
  const each = Number.isInteger(threads) ? (threads as number) : 1;
  return Math.max(1, Math.floor(Math.min(8, cores()) / each));
}

/** Sets the threads of each worker, because the environment variable is for the whole program. */
function withThreads(options: WorkerOptions, size: number): WorkerOptions {
  const { threads = nodeThreads() ? 1 : undefined } = options;
  if (threads === undefined) return options;
  const each = Math.max(1, Math.min(8, Math.floor(cores() / size)));
  return { ...options, threads: threads === 'auto' ? each : threads };
}

/**
 * Starts several workers that share the rows of predictions. Each has its own instance of one
 * compiled module and its own weights, so pages need no isolation headers.
 *
 * @example
 * const pool = await openPool({ size: 4 });
 * const model = await pool.loadModel('model.keras');
 * (await model.predict(ids, { signal })).array();
 */
export async function openPool(options: PoolOptions = {}): Promise<WorkerPool> {
  const {
    size = usualSize(options.threads),
    queue,
    ...rest
  } = checkOptions(options, {
    ...workerOptions,
    size: 1,
    queue: 1,
  });
  checkCount('size', size, 64);
  if (queue !== undefined) checkCount('queue', queue, 1_000_000);
  const settings: ReadyOptions = await startOptions(withThreads(rest, size));
  const opened = await Promise.allSettled(
    Array.from({ length: size }, () => PoolMember.open(settings, rest)),
  );
  const members = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = opened.find((result) => result.status === 'rejected');
  if (!failed) return new WorkerPool(members, queue);
  for (const member of members) member.close();
  throw failed.reason;
}

// SPDX-License-Identifier: MIT
// The part of a pool that its models use, so that pool.ts and pool_model.ts do not import each
// other.
import type { PoolMember } from './pool_member.js';

/** A task for the first free worker. */
export interface Task {
  /** Rejects with the worker's error. */
  run(member: PoolMember): Promise<void>;
  /** Cancelled tasks are skipped. */
  readonly cancelled: boolean;
}

/** Distributes tasks among the workers of a pool. */
export interface TaskQueue {
  /** Number of workers. */
  readonly size: number;
  /** Adds a task, which runs in the first free worker. */
  submit(task: Task): void;
  /** Counts a call while it runs. Throws StateError beyond the limit of the pool. */
  enter<T>(run: () => Promise<T>): Promise<T>;
  /** Disposes of the model with that key in every worker. */
  forget(key: object): void;
}

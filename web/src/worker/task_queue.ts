// SPDX-License-Identifier: MIT
import type { PoolMember } from './pool_member.js';

/** Something for one worker, whichever is free first. */
export interface Task {
  /** Fails with what the worker failed with. */
  run(member: PoolMember): Promise<void>;
  /** Cancelled tasks are passed over. */
  readonly cancelled: boolean;
}

/** Hands tasks to the workers of a pool. */
export interface TaskQueue {
  /** The number of workers. */
  readonly size: number;
  submit(task: Task): void;
  /** Counts a call while it lasts; StateError where one more would be too many. */
  enter<T>(run: () => Promise<T>): Promise<T>;
  /** Gives up the model of that key in every worker. */
  forget(key: object): void;
}

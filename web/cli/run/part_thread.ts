// SPDX-License-Identifier: MIT
// A thread that computes parts, as the main thread sees it.
import threads from 'node:worker_threads';
import type { PartOrder, PartResult, PartTask, Readiness } from './part_worker.js';

/** A part, which a thread or the main thread computes. */
export interface Task extends PartOrder {
  /** Undefined before the part is computed. */
  result?: PartResult & { problem?: { error: unknown } };
  /** True if the thread that had it ended. */
  isLost: boolean;
}

/** Parts that a thread has at a time, so that it does not wait for the main thread. */
const kAtOnce = 2;

interface Owner {
  /** The next part for a thread; null for none now. */
  next(): Task | null;
  /** Called when a thread computed a part, or ended. */
  changed(): void;
  /** Whether the thread computed the beginning as the main thread did. */
  agrees(readiness: Readiness): boolean;
}

export class PartThread {
  readonly #owner: Owner;
  readonly #thread: threads.Worker;
  #tasks: Task[] = [];
  #isReady = false;

  /** Starts a thread with the arguments of this program. */
  constructor(program: string, task: PartTask, owner: Owner) {
    this.#owner = owner;
    this.#thread = new threads.Worker(new URL(program), {
      argv: process.argv.slice(2),
      execArgv: [],
      // The main thread prints the same messages.
      stdout: true,
      stderr: true,
      workerData: { maskflowPart: task },
    });
    this.#thread.on('message', (message: Readiness | PartResult) => this.#receive(message));
    for (const event of ['error', 'exit', 'messageerror'])
      this.#thread.on(event, () => this.#lose());
  }

  #receive(message: Readiness | PartResult): void {
    if (this.#isReady) {
      const task = this.#tasks.shift() as Task;
      task.result = message as PartResult;
    } else if (this.#owner.agrees(message as Readiness)) {
      this.#isReady = true;
    } else {
      void this.end();
    }
    this.fill();
    this.#owner.changed();
  }

  /** Gives the thread the parts that it may have. */
  fill(): void {
    while (this.#isReady && this.#tasks.length < kAtOnce) {
      const task = this.#owner.next();
      if (!task) return;
      this.#tasks.push(task);
      const order: PartOrder = { part: task.part, row: task.row };
      this.#thread.postMessage(order);
    }
  }

  #lose(): void {
    this.#isReady = false;
    for (const task of this.#tasks.splice(0)) task.isLost = true;
    this.#owner.changed();
  }

  async end(): Promise<void> {
    this.#isReady = false;
    await this.#thread.terminate();
  }
}

// SPDX-License-Identifier: MIT
// The parts of a file in several threads: who computes them, and their order in the output.
import { bytesOf, type ByteSource } from './byte_source.js';
import type { InputFormat } from './options.js';
import { PartThread, type Task } from './part_thread.js';
import type { Readiness } from './part_worker.js';
import type { Part, RecordScanner } from './record_scanner.js';
import type { Counts, RowRun, ThreadPlan } from './row_run.js';
import type { ByteTarget } from './sinks/byte_sink.js';
import type { CollectedText } from './sinks/collected_text.js';

const kLeastPart = 2 ** 16;
const kMostPart = 2 ** 20;
/** Bytes for each further thread: about as many are computed in the time of its start. */
const kShare = 2 ** 21;
/** Most bytes for each thread whose output waits for that of a part before them. */
const kMostAhead = 2 ** 23;

interface Plan {
  /** Descriptor of the data. */
  file: number;
  bytes: ByteSource;
  format: InputFormat;
  head: Part;
  scanner: RecordScanner;
  /** The run of the main thread, which has computed the beginning. */
  run: RowRun;
  /** The text of that run. */
  text: CollectedText;
  output: ByteTarget;
  threads: ThreadPlan;
  /** Number of threads with this one. */
  count: number;
  /** Whether the output has numbers of rows. */
  isNumbered: boolean;
  /** Called when rows are written. */
  written(rows: number): void;
}

/** Computes parts in this thread and in others, and writes them in their order. */
export class Parts {
  readonly #plan: Plan;
  readonly #beginning: Uint8Array;
  readonly #counts: Counts[] = [];
  /** Rows of the output that are written. */
  #rows: number;
  /** Rows of the output beyond those with content that the scanner counted. */
  #shift: number;
  /** Parts in the order of the file; the first one is to be written next. */
  readonly #tasks: Task[] = [];
  #threads: PartThread[] = [];
  #isOver = false;
  #wake: () => void = () => {};

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#beginning = plan.text.take();
    const counts = plan.run.take();
    this.#counts.push(counts);
    this.#rows = counts.rows;
    this.#shift = counts.rows - plan.scanner.rest.filled;
  }

  /** Computes parts while there are some; returns the number of rows of the output. */
  async all(): Promise<number> {
    const { run, output } = this.#plan;
    try {
      this.#start();
      await output.bytes(this.#beginning);
      await this.#work();
    } finally {
      await Promise.all(this.#threads.map((thread) => thread.end()));
    }
    for (const counts of this.#counts) run.add(counts);
    return this.#rows;
  }

  #start(): void {
    const { count, file, format, head, threads } = this.#plan;
    const shares = 1 + Math.ceil(this.#left / kShare);
    const owner = {
      next: () => this.#next(),
      changed: () => this.#wake(),
      agrees: ({ text, state }: Readiness) =>
        state === threads.state && Buffer.compare(text, this.#beginning) === 0,
    };
    try {
      for (let i = 1; i < Math.min(shares, count); i++)
        this.#threads.push(new PartThread(threads.program, { file, format, head }, owner));
    } catch {
      // The threads that have started compute the parts.
    }
  }

  /** Bytes that are not in a part yet. */
  get #left(): number {
    const { bytes, scanner } = this.#plan;
    return Math.max(0, (bytes.size as number) - scanner.position);
  }

  /** The next part; null if there is none, or if too much output waits already. */
  #next(): Task | null {
    const { scanner } = this.#plan;
    const [first] = this.#tasks;
    const ahead = first ? scanner.position - first.part.from : 0;
    const members = 1 + this.#threads.length;
    if (this.#isOver || ahead > kMostAhead * members) return null;
    // Parts get smaller towards the end, so that all threads end at about the same time.
    const share = Math.ceil(this.#left / (2 * members));
    const part = scanner.next(Math.min(kMostPart, Math.max(kLeastPart, share)));
    if (!part) {
      this.#isOver = true;
      return null;
    }
    const task = { part, row: part.filled + this.#shift, isLost: false };
    this.#tasks.push(task);
    return task;
  }

  async #work(): Promise<void> {
    for (;;) {
      await this.#write();
      const task = this.#next();
      const [first] = this.#tasks;
      if (task) await this.#compute(task);
      else if (!first) return;
      else if (first.isLost) await this.#compute(first);
      else if (!first.result) await this.#change();
    }
  }

  /** Resolves when a thread reports something. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Computes a part in this thread. */
  async #compute(task: Task): Promise<void> {
    const { file, run, text } = this.#plan;
    const { part, row } = task;
    let problem: { error: unknown } | undefined;
    try {
      await run.part(bytesOf(file, part.from, part.to), part.start, row);
      await run.flush();
    } catch (error) {
      problem = { error };
      this.#isOver = true;
    }
    task.isLost = false;
    task.result = { text: text.take(), counts: run.take(), ...(problem && { problem }) };
  }

  /** Writes the parts that are computed, up to the first one that is not. */
  async #write(): Promise<void> {
    const { bytes, isNumbered, output, written } = this.#plan;
    for (let [task] = this.#tasks; task?.result; [task] = this.#tasks) {
      if (isNumbered && task.row !== this.#rows) {
        this.#shift += this.#rows - task.row;
        task.row = this.#rows;
        await this.#compute(task);
      }
      const { text, counts, problem } = task.result;
      await output.bytes(text);
      if (problem) throw problem.error;
      this.#tasks.shift();
      this.#counts.push(counts);
      this.#rows += counts.rows;
      bytes.position = task.part.to;
      written(counts.rows);
      for (const thread of this.#threads) thread.fill();
    }
  }
}

// SPDX-License-Identifier: MIT
// The way of rows from their reader through the model to the writer, for run_rows.ts and parts.ts.
import type { Model } from '../../src/index.js';
import { usualBatch } from '../../src/model/usual_batch.js';
import type { Format } from '../formats.js';
import { type Batch, Batcher } from './batcher.js';
import { rowBatches, wholeBatches } from './batches.js';
import { type BadRows, ErrorPolicy } from './error_policy.js';
import type { InputPlan, OpenedRows } from './open_rows.js';
import type { OnError } from './options.js';
import { Predictor } from './predictor.js';
import type { Cuts, Predicted, RowSource, Sink, Start } from './rows.js';
import { ByteSink, type ByteTarget } from './sinks/byte_sink.js';
import { openSink } from './sinks/index.js';

/** Settings of `maskflow run`. */
export interface RunPlan {
  input: InputPlan;
  output: {
    path: string;
    /** Undefined: JSON lines for JSON lines, else JSON. */
    format: Format | undefined;
    labels: readonly string[] | null;
    /** Name of the column or field of predictions. */
    name: string;
  };
  /** Undefined: the usual size; 0: all rows at once. */
  batchSize: number | undefined;
  onError: OnError;
  isQuiet: boolean;
  threads: ThreadPlan;
}

/** How the threads of a run start: with the program and the files of the main thread. */
export interface ThreadPlan {
  /** The program, which a thread runs with the same arguments. */
  program: string;
  /** Files that a thread reads again, the model first. */
  files: readonly string[];
  /** Their state before the main thread read them; null if threads cannot read them. */
  state: string | null;
}

/** Counts of a part of the rows. */
export interface Counts {
  /** Number of rows of the output. */
  rows: number;
  bad: BadRows;
  cuts: Cuts[];
}

/** Rows that can be read in parts. */
type Divisible = RowSource & { part: NonNullable<RowSource['part']> };

/** The format of the output. */
export const outputFormat = ({ output }: RunPlan, opened: OpenedRows): Format =>
  output.format ?? (opened.format === 'jsonl' ? 'jsonl' : 'json');

/** Functions that a run calls as it goes on. */
export interface Events {
  /** Called before a batch is computed. */
  before?(batch: Batch): Promise<void>;
  /** Called when rows of the output are written. */
  after?(rows: number): void;
}

/** One run over the rows of a file. Readers and the writer keep their state from part to part. */
export class RowRun {
  readonly #opened: OpenedRows;
  readonly #size: number;
  readonly #isPatient: boolean;
  readonly #policy: ErrorPolicy;
  readonly #batcher: Batcher;
  readonly #predictor: Predictor;
  readonly #open: (first: Predicted) => Promise<Sink>;
  readonly #events: Events;
  readonly #counter = { rows: 0 };
  #sink: Sink | undefined;
  #rows = 0;
  #hasPredicted = false;

  /** `open` opens the file of the output when the first rows are computed. */
  constructor(
    model: Model,
    plan: RunPlan,
    opened: OpenedRows,
    events: Events,
    open: () => Promise<ByteTarget> = () => ByteSink.open(plan.output.path),
  ) {
    this.#opened = opened;
    this.#events = events;
    this.#policy = new ErrorPolicy(plan.onError);
    this.#size = (plan.batchSize ?? usualBatch(model)) || Number.POSITIVE_INFINITY;
    // A smaller batch is of use to a program behind a pipe, which waits for its answer.
    this.#isPatient = opened.bytes.size !== null || model.stateful || plan.batchSize === 0;
    const file = opened.rows ?? { unit: 'row', what: '' };
    this.#batcher = new Batcher(opened.model, plan.input.padding, file, this.#policy);
    this.#predictor = new Predictor(model, opened, this.#batcher, this.#policy);
    const format = outputFormat(plan, opened);
    const { types } = opened;
    const output = { ...plan.output, format, types, counter: this.#counter };
    this.#open = (first) => openSink(first, output, open);
  }

  /** Computes all rows. */
  async all(): Promise<void> {
    const { rows, whole } = this.#opened;
    if (rows) {
      await this.#blocks(rows.blocks);
      await this.flush();
      this.#batcher.end();
    } else {
      const batches = wholeBatches(whole as NonNullable<typeof whole>, this.#size);
      for (const batch of batches) await this.#compute(batch);
    }
  }

  /**
   * Computes a part of the rows, which are behind `row` rows of the output (default: behind the
   * last part). The last ones wait for a full batch.
   */
  async part(bytes: AsyncIterable<Uint8Array>, start?: Start, row?: number): Promise<void> {
    if (row !== undefined) this.#counter.rows = row;
    const blocks = (this.#opened.rows as Divisible).part(bytes, start);
    try {
      await this.#blocks(blocks);
    } catch (error) {
      // Other parts may follow, so nothing of this one may stay behind.
      await blocks.return(undefined).catch(() => {});
      this.#batcher.take().dispose();
      throw error;
    }
  }

  /** Called after the last part. */
  endParts(): void {
    (this.#opened.rows as Divisible).endParts?.();
    this.#batcher.end();
  }

  async #blocks(blocks: RowSource['blocks']): Promise<void> {
    for await (const batch of rowBatches(blocks, this.#batcher, this.#size, this.#isPatient))
      await this.#compute(batch);
  }

  /** Computes the rows that wait for a full batch. */
  async flush(): Promise<void> {
    if (this.#batcher.hasRows) await this.#compute(this.#batcher.take());
  }

  async #compute(batch: Batch): Promise<void> {
    await this.#events.before?.(batch);
    for (const predicted of this.#predictor.predict(batch)) {
      this.#sink ??= await this.#open(predicted);
      await this.#sink.write(predicted);
      this.#hasPredicted ||= predicted.outputs.length > 0;
      this.#rows += predicted.entries.length;
      this.#events.after?.(predicted.entries.length);
    }
  }

  /** Whether the rows of a batch have the same outputs in smaller batches. */
  isRowWise(batch: Batch): boolean {
    return this.#predictor.isRowWise(batch);
  }

  /** Whether the text of further rows no longer depends on the rows before them. */
  get hasBegun(): boolean {
    return this.#sink?.hasBegun === true && this.#hasPredicted;
  }

  /** Completes the output. */
  async end(): Promise<void> {
    this.#sink ??= await this.#open({ entries: [], outputs: [] });
    await this.#sink.end();
  }

  /** Ends the output after an error. */
  async discard(): Promise<void> {
    await this.#sink?.discard();
  }

  /** Prints the number of bad rows, if there were any. */
  report(): void {
    this.#policy.report(this.#rows);
  }

  /** The counts so far; begins to count again. */
  take(): Counts {
    const rows = this.#rows;
    this.#rows = 0;
    return { rows, bad: this.#policy.take(), cuts: this.#batcher.takeCuts() };
  }

  add({ rows, bad, cuts }: Counts): void {
    this.#rows += rows;
    this.#policy.add(bad);
    this.#batcher.addCuts(cuts);
  }
}

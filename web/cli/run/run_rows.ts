// SPDX-License-Identifier: MIT
// The loop of `maskflow run`: reads rows, predicts and writes, batch by batch.
import { ValueError } from '../../src/base/errors.js';
import { type Model, Tensor, tidy } from '../../src/index.js';
import { usualBatch } from '../../src/model/usual_batch.js';
import type { Format } from '../formats.js';
import type { Output } from '../output.js';
import { Progress } from '../progress.js';
import { type Batch, Batcher } from './batcher.js';
import { rowBatches, wholeBatches } from './batches.js';
import { ErrorPolicy } from './error_policy.js';
import { startHelpersFor } from './helpers.js';
import { type InputPlan, type OpenedRows, openRows } from './open_rows.js';
import type { OnError } from './options.js';
import { placeOf, type Predicted, type Sink } from './rows.js';
import { openSink } from './sinks/index.js';

export type { InputPlan };

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
}

/** Computes the outputs of a batch. */
function predict(model: Model, batch: Batch): Output[] {
  if (batch.rows?.length === 0) return [];
  return tidy(() => {
    const result = model.predict<Tensor | Tensor[]>(batch.inputs(), { batchSize: 0 });
    const outputs = result instanceof Tensor ? [result] : result;
    return Object.entries(outputs).map(([name, output]) => {
      const { shape, dtype } = output;
      return { name, shape: [...shape], dtype, data: output.data().slice() };
    });
  });
}

/** Predicts batches. Finds out which row of a batch is bad. */
class Predictor {
  readonly #model: Model;
  readonly #opened: OpenedRows;
  readonly #batcher: Batcher;
  readonly #policy: ErrorPolicy;
  /** The states of a stateful model would advance twice. */
  readonly #isStateful: boolean;

  constructor(model: Model, opened: OpenedRows, batcher: Batcher, policy: ErrorPolicy) {
    this.#model = model;
    this.#opened = opened;
    this.#batcher = batcher;
    this.#policy = policy;
    this.#isStateful = model.stateful;
  }

  *predict(batch: Batch): Generator<Predicted> {
    try {
      yield { entries: batch.entries, outputs: predict(this.#model, batch) };
    } catch (error) {
      if (!(error instanceof ValueError) || !batch.rows || this.#isStateful) throw error;
      yield* this.#oneByOne(batch, error);
    } finally {
      batch.dispose();
    }
  }

  /** Computes the rows of a batch alone. Rethrows `problem` if it is not that of a row. */
  *#oneByOne({ rows, entries }: Batch, problem: Error): Generator<Predicted> {
    const results = entries.map(({ index }) => {
      const row = rows?.[index];
      const result = row ? this.#alone(row) : [];
      if (result instanceof Error && this.#policy.stops) throw result;
      return result;
    });
    if (!results.some((result) => result instanceof Error)) throw problem;
    for (const [i, { fields }] of entries.entries()) {
      const result = results[i] as Output[] | Error;
      const isBad = result instanceof Error;
      if (isBad && !this.#policy.keeps(result)) continue;
      const outputs = isBad ? [] : result;
      yield { entries: [{ fields, index: outputs.length > 0 ? 0 : -1 }], outputs };
    }
  }

  /** The outputs for one row, or the error that names it. */
  #alone(row: NonNullable<Batch['rows']>[number]): Output[] | Error {
    const batch = this.#batcher.alone(row);
    try {
      return predict(this.#model, batch);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      const file = this.#opened.rows ?? { unit: 'row', what: 'the data' };
      return new ValueError(`${placeOf(file, row)}: ${error.message}`);
    } finally {
      batch.dispose();
    }
  }
}

/** Shows how far the data was read. */
class Meter {
  readonly #progress: Progress;
  readonly #opened: OpenedRows;
  rows = 0;

  constructor(opened: OpenedRows, isQuiet: boolean) {
    const total = opened.whole?.rows ?? null;
    this.#progress = new Progress(total, 'rows', isQuiet);
    this.#opened = opened;
  }

  add(rows: number): void {
    this.rows += rows;
    const { size, position } = this.#opened.bytes;
    this.#progress.at(this.rows, size ? position / size : null);
  }

  end(): void {
    this.#progress.end();
  }
}

/** Reads rows, predicts and writes, batch by batch. The memory does not depend on their number. */
export async function runRows(model: Model, plan: RunPlan): Promise<void> {
  const policy = new ErrorPolicy(plan.onError);
  const opened = await openRows(model, plan.input);
  const usual = usualBatch(model);
  const size = (plan.batchSize ?? usual) || Number.POSITIVE_INFINITY;
  // A smaller batch is of use to a program behind a pipe, which waits for its answer.
  const isPatient = opened.bytes.size !== null || model.stateful || plan.batchSize === 0;
  const file = opened.rows ?? { unit: 'row', what: '' };
  const batcher = new Batcher(opened.model, plan.input.padding, file, policy);
  const predictor = new Predictor(model, opened, batcher, policy);
  const batches = opened.rows
    ? rowBatches(opened.rows, batcher, size, isPatient)
    : wholeBatches(opened.whole as NonNullable<typeof opened.whole>, size);
  const format = plan.output.format ?? (opened.format === 'jsonl' ? 'jsonl' : 'json');
  const meter = new Meter(opened, plan.isQuiet);
  const open = (first: Predicted): Promise<Sink> =>
    openSink(first, { ...plan.output, format, types: opened.types });
  let sink: Sink | undefined;
  try {
    for await (const batch of batches) {
      await startHelpersFor(model, batch);
      for (const predicted of predictor.predict(batch)) {
        sink ??= await open(predicted);
        await sink.write(predicted);
        meter.add(predicted.entries.length);
      }
    }
    sink ??= await open({ entries: [], outputs: [] });
    await sink.end();
  } catch (error) {
    await sink?.discard();
    throw error;
  } finally {
    meter.end();
  }
  policy.report(meter.rows);
}

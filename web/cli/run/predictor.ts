// SPDX-License-Identifier: MIT
// The predictions for batches of rows, for row_run.ts.
import { ValueError } from '../../src/base/errors.js';
import { type Model, Tensor, tidy } from '../../src/index.js';
import type { Output } from '../output.js';
import type { Batch, Batcher } from './batcher.js';
import type { ErrorPolicy } from './error_policy.js';
import type { OpenedRows } from './open_rows.js';
import { placeOf, type Predicted, type Row } from './rows.js';

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
export class Predictor {
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

  /** Whether the outputs for the rows of a batch have the same bits in smaller batches. */
  isRowWise(batch: Batch): boolean {
    const rows = batch.rows ?? [];
    if (rows.length === 1) return true;
    const outputs = predict(this.#model, batch);
    // Equal rows do not show whether they depend on each other.
    if (outputs.every((output) => isUniform(output, rows.length))) return false;
    return [1, rows.length - 1].every((first) => {
      const smaller = this.#batcher.again(rows.slice(first));
      const others = predict(this.#model, smaller);
      smaller.dispose();
      return others.every((other, i) => isEndOf(other, outputs[i] as Output));
    });
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
  #alone(row: Row): Output[] | Error {
    const batch = this.#batcher.again([row]);
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

const bytesOf = ({ data: { buffer, byteOffset, byteLength } }: Output): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

/** Whether all rows of an output are equal, bit by bit. */
function isUniform(output: Output, rows: number): boolean {
  const bytes = bytesOf(output);
  const width = bytes.length / rows;
  return bytes.subarray(width).equals(bytes.subarray(0, bytes.length - width));
}

/** Whether the numbers of an output are the last ones of another, bit by bit. */
function isEndOf(output: Output, all: Output): boolean {
  const [bytes, others] = [bytesOf(output), bytesOf(all)];
  return bytes.length <= others.length && bytes.equals(others.subarray(-bytes.length));
}

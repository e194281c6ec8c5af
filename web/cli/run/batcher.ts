// SPDX-License-Identifier: MIT
// The collector of rows for one call of `predict`, which batches.ts fills.
import { MaskflowError } from '../../src/base/errors.js';
import type { LayerInputs } from '../../src/index.js';
import { Tensor } from '../../src/index.js';
import type { Padding } from '../pad.js';
import { type InputColumn, inputColumn } from './input_column.js';
import type { ErrorPolicy } from './error_policy.js';
import type { RowInputs } from './model_input.js';
import { type BadRow, type Cuts, type Entry, type Place, placeOf, type Row } from './rows.js';

/** Rows for one call of `predict`. */
export interface Batch {
  /** The inputs of the model. Throws ValueError if a value does not fit their types. */
  inputs(): LayerInputs;
  entries: Entry[];
  /** The rows behind the inputs; null if they come from a file that was read as a whole. */
  rows: Row[] | null;
  /** Frees the tensors of the inputs. */
  dispose(): void;
}

/** Most rows without a prediction that wait for one with it. */
const kMaxWaiting = 2 ** 16;

/** Collects rows until they fill a batch. */
export class Batcher {
  readonly #model: RowInputs;
  readonly #columns: readonly InputColumn[];
  readonly #file: { unit: string; what: string };
  readonly #policy: ErrorPolicy;
  #entries: Entry[] = [];
  #rows: Row[] = [];

  constructor(
    model: RowInputs,
    padding: Padding | null,
    file: { unit: string; what: string },
    policy: ErrorPolicy,
  ) {
    this.#model = model;
    this.#columns = model.inputs.map((input) => inputColumn(input, padding, model.isStrict));
    this.#file = file;
    this.#policy = policy;
  }

  /** True if rows wait, with a prediction or without. */
  get hasRows(): boolean {
    return this.#entries.length > 0;
  }

  /** True if there are rows for a batch of this size. */
  isFull(size: number): boolean {
    return this.#rows.length >= size || this.#entries.length >= size + kMaxWaiting;
  }

  /** Adds a row. A bad one is handled as --on-error says. */
  add(row: Row | BadRow): void {
    const error = 'error' in row ? row.error : this.#tryAdd(row);
    if (!error) {
      this.#entries.push({ fields: row.fields, index: this.#rows.length });
      this.#rows.push(row as Row);
    } else if (this.#policy.keeps(error)) {
      this.#entries.push({ fields: row.fields, index: -1 });
    }
  }

  /** Adds the values to all columns, or to none. */
  #tryAdd(row: Row): MaskflowError | null {
    const place: Place = { toString: () => placeOf(this.#file, row) };
    let added = 0;
    try {
      for (const column of this.#columns) {
        column.add(row.values[added], place);
        added++;
      }
      return null;
    } catch (error) {
      if (!(error instanceof MaskflowError)) throw error;
      for (const column of this.#columns.slice(0, added)) column.drop();
      return error;
    }
  }

  /** The rows so far; begins a new batch. */
  take(): Batch {
    const [entries, rows] = [this.#entries, this.#rows];
    this.#entries = [];
    this.#rows = [];
    let problem: unknown;
    const values = (rows.length > 0 ? this.#columns : []).map((column) => {
      try {
        return column.take();
      } catch (error) {
        problem = error;
        return null;
      }
    });
    const dispose = (): void => {
      for (const value of values) if (value instanceof Tensor) value.dispose();
    };
    const inputs = (): LayerInputs => {
      if (problem) throw problem;
      return this.#arrange(values);
    };
    return { inputs, entries, rows, dispose };
  }

  #arrange(values: readonly unknown[]): LayerInputs {
    if (!this.#model.keyed) return (values.length === 1 ? values[0] : values) as LayerInputs;
    const named = this.#model.inputs.map(({ name }, i) => [name, values[i]] as const);
    return Object.fromEntries(named) as LayerInputs;
  }

  /** A batch of rows that were in a batch before, and are not counted again. */
  again(rows: readonly Row[]): Batch {
    const cuts = this.takeCuts();
    for (const row of rows) {
      this.#tryAdd(row);
      this.#rows.push(row);
    }
    const batch = this.take();
    this.takeCuts();
    this.addCuts(cuts);
    return batch;
  }

  /** The numbers of cut rows for each input with padding; begins to count again. */
  takeCuts(): Cuts[] {
    return this.#cuts().map((cuts) => {
      const taken = { ...cuts };
      Object.assign(cuts, { rows: 0, cut: 0 });
      return taken;
    });
  }

  addCuts(more: readonly Cuts[]): void {
    for (const [i, cuts] of this.#cuts().entries()) {
      cuts.rows += more[i]?.rows ?? 0;
      cuts.cut += more[i]?.cut ?? 0;
    }
  }

  #cuts(): Cuts[] {
    return this.#columns.flatMap(({ cuts }) => cuts ?? []);
  }

  /** Called after the last row. */
  end(): void {
    for (const column of this.#columns) column.end();
  }
}

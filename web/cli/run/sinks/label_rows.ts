// SPDX-License-Identifier: MIT
// Rows of the output with labels, for the writers of text if --labels is set.
import { csvCell } from '../../../src/base/csv_cell.js';
import { type LabelledOutput, labelsOf } from '../../labels.js';
import { UsageError } from '../../usage.js';
import type { Entry, Predicted } from '../rows.js';
import { jsonText } from '../../print.js';
import { checkNames, fieldNames, keyCell } from '../fields.js';
import { fieldCells, fieldMembers, type RowWriter } from './row_writer.js';

/** A row of the output with one of its labels; null for a bad row. */
interface Labelled {
  row: number;
  entry: Entry;
  output: LabelledOutput | null;
}

/** Number of rows of the output so far. */
export interface RowCounter {
  rows: number;
}

/** The label and the value of the largest output, of each row or of each step. */
export class LabelRows implements RowWriter {
  readonly #labels: readonly string[];
  readonly #digits: number | null;
  readonly #counter: RowCounter;
  #names: string[] | undefined;
  #hasSteps = false;

  /** `digits`: those of a probability in a table; null: all. */
  constructor(labels: readonly string[], counter: RowCounter, digits: number | null = null) {
    this.#labels = labels;
    this.#counter = counter;
    this.#digits = digits;
  }

  #labelled(batch: Predicted): Labelled[] {
    const [only, ...others] = batch.outputs;
    if (others.length > 0) {
      throw new UsageError(`--labels names one output, but the model has ${batch.outputs.length}`);
    }
    this.#names ??= fieldNames(batch.entries);
    const labels = only ? labelsOf(only, this.#labels) : [];
    this.#hasSteps ||= only?.shape.length === 3;
    return batch.entries.flatMap((entry) => {
      const row = ++this.#counter.rows;
      const outputs = labels[entry.index] ?? [null];
      return outputs.map((output) => ({ row, entry, output }));
    });
  }

  texts(batch: Predicted): string[] {
    return this.#labelled(batch).map(({ row, entry, output }) => {
      const value = {
        ...(this.#hasSteps && { row, step: output?.step ?? null }),
        label: output?.label ?? null,
        probability: output?.probability ?? null,
      };
      checkNames(
        entry.fields.map(({ name }) => name),
        Object.keys(value),
      );
      return `{${fieldMembers(entry.fields)}${jsonText(value).slice(1)}`;
    });
  }

  heading(): readonly string[] {
    const own = ['row', ...(this.#hasSteps ? ['step'] : []), 'label', 'probability'];
    const names = this.#names ?? [];
    checkNames(names, own);
    return [...names.map(keyCell), ...own];
  }

  cells(batch: Predicted): string[][] {
    const text = (probability: number): string =>
      this.#digits === null ? String(probability) : probability.toFixed(this.#digits);
    const labelled = this.#labelled(batch);
    return labelled.map(({ row, entry, output }) => [
      ...fieldCells(this.#names ?? [], entry.fields),
      String(row),
      ...(this.#hasSteps ? [String(output?.step ?? '')] : []),
      output ? (this.#digits === null ? csvCell(output.label) : output.label) : '',
      output ? text(output.probability) : '',
    ]);
  }
}

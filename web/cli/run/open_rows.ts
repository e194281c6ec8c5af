// SPDX-License-Identifier: MIT
// The opening of data for `maskflow run`: chooses the reader of a format and pads the rows.
import type { Model } from '../../src/index.js';
import { type Inputs, parseInputs, readsText } from '../inputs.js';
import { titleOf } from '../files.js';
import { type Padding, paddedLength } from '../pad.js';
import type { Preparation } from '../prepared.js';
import { UsageError } from '../usage.js';
import { arrowRows } from './arrow_rows.js';
import { ByteSource } from './byte_source.js';
import { csvRows } from './csv_rows.js';
import { detectFormat } from './input_format.js';
import { jsonRows, textRows } from './line_rows.js';
import { preparedInputs, type RowInputs, rowInputs } from './model_input.js';
import { npyRows } from './npy_rows.js';
import type { ColumnOptions, InputFormat } from './options.js';
import type { RowSource } from './rows.js';

/** Options of the command about its data. */
export interface InputPlan extends ColumnOptions {
  path: string;
  /** Undefined: detected. */
  format: InputFormat | undefined;
  padding: Padding | null;
  preparation: Preparation;
  /** Whether rows of another length than the model's are bad; else the first row decides. */
  isStrict: boolean;
}

/** Data that is read row by row, or that was read as a whole. */
export interface OpenedRows {
  format: InputFormat;
  bytes: ByteSource;
  model: RowInputs;
  rows: RowSource | null;
  whole: Inputs | null;
  /** Types of the fields of Arrow data, when its first rows are read. */
  types: Map<string, unknown>;
}

/** Opens the data of a model. What can be read row by row is. */
export async function openRows(model: Model, plan: InputPlan): Promise<OpenedRows> {
  const { path, padding, encoding, preparation } = plan;
  const isText = readsText(model) || preparation.tokenizer !== undefined;
  if (readsText(model) && padding) {
    throw new UsageError('--pad is for rows of numbers, but the model reads text');
  }
  const bytes = new ByteSource(path);
  const hasColumns = plan.columns !== null || plan.ids !== null || plan.header !== null;
  const rowModel = preparedInputs(rowInputs(model, plan.isStrict), preparation);
  if (preparation.tokenizer && needsWhole(rowModel, padding)) {
    throw new UsageError(
      '--tokenizer needs --maxlen N, because the model accepts rows of any length',
    );
  }
  const { inputs } = rowModel;
  const format =
    plan.format ?? (await detectFormat(bytes, { path, isText, hasColumns, encoding, inputs }));
  const opened = { format, bytes, model: rowModel, types: new Map<string, unknown>() };
  const rows = needsWhole(opened.model, padding) ? null : await rowsOf(opened, plan);
  if (rows) return { ...opened, rows, whole: null };
  checkWhole(format, hasColumns, padding);
  if (preparation.tokenizer || preparation.scaler) {
    throw new UsageError(
      `--tokenizer and --scaler need rows of csv, jsonl, text, npy or arrow, not ${format}`,
    );
  }
  return {
    ...opened,
    rows: null,
    whole: parseInputs(model, inUtf8(await bytes.all(), format, encoding), path, padding),
  };
}

/** Text in another encoding as UTF-8. */
function inUtf8(bytes: Uint8Array, format: InputFormat, encoding: string): Uint8Array {
  if (encoding === 'utf-8' || format === 'npy' || format === 'npz') return bytes;
  return new TextEncoder().encode(new TextDecoder(encoding).decode(bytes));
}

/** True if all rows must be known before one of them can be padded. */
const needsWhole = ({ inputs }: RowInputs, padding: Padding | null): boolean =>
  padding !== null && inputs.some(({ shape }) => paddedLength(shape, padding) === null);

async function rowsOf(
  { format, bytes, model, types }: Omit<OpenedRows, 'rows' | 'whole'>,
  plan: InputPlan,
): Promise<RowSource | null> {
  const what = titleOf(plan.path);
  switch (format) {
    case 'csv':
      return csvRows(bytes, what, model, plan, plan.padding !== null);
    case 'jsonl':
      return jsonRows(bytes, what, model, plan);
    case 'text':
      return textRows(bytes, what, plan.encoding);
    case 'arrow':
      return arrowRows(bytes, what, model, plan, types);
    case 'npy':
      return plan.padding ? null : npyRows(bytes, what);
    case 'json':
    case 'npz':
      return null;
  }
}

/** Throws UsageError for options that data cannot have if it is read as a whole. */
function checkWhole(format: InputFormat, hasColumns: boolean, padding: Padding | null): void {
  if (hasColumns) {
    const reason =
      format === 'csv' || format === 'jsonl' || format === 'arrow'
        ? 'rows that are padded to the longest one; set --maxlen'
        : `data in the format ${format}; use csv, jsonl or arrow`;
    throw new UsageError(`--columns, --id and --header are not possible with ${reason}`);
  }
  if (padding && (format === 'jsonl' || format === 'arrow')) {
    throw new UsageError(
      `--pad needs --maxlen for ${format}, because the model accepts rows of any length`,
    );
  }
}

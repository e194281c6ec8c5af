// SPDX-License-Identifier: MIT
// The choice of the writer of predictions, by their format, for run_rows.ts.
import { extname } from 'node:path';
import type { Format } from '../../formats.js';
import { descriptorOf } from '../../descriptors.js';
import { arrowLibrary, type Library } from '../arrow_library.js';
import type { Predicted, Sink } from '../rows.js';
import { ArrowSink } from './arrow_sink.js';
import type { ByteTarget } from './byte_sink.js';
import { LabelRows, type RowCounter } from './label_rows.js';
import { NpySink } from './npy_sink.js';
import { PlainRows } from './row_writer.js';
import { TableSink } from './table_sink.js';
import { CsvSink, JsonLinesSink, JsonSink } from './text_sinks.js';
import { WholeSink } from './whole_sink.js';

/** Where predictions go, and in which form. */
export interface OutputPlan {
  path: string;
  format: Format;
  labels: readonly string[] | null;
  /** Name of the column or field of predictions. */
  name: string;
  /** Types of the fields of Arrow data. */
  types: ReadonlyMap<string, unknown>;
  /** Number of the rows before those that are written. */
  counter: RowCounter;
}

const kDigits = 4;

/** True if JSON of the predictions has an item for each row, not for each output. */
const hasRows = ({ entries, outputs }: Predicted): boolean =>
  entries.some(({ fields }) => fields.length > 0) ||
  outputs.length === 0 ||
  (outputs.length === 1 && outputs[0]?.name === '0');

/** The writer of predictions, the first of which are known; `open` opens the file. */
export async function openSink(
  first: Predicted,
  plan: OutputPlan,
  open: () => Promise<ByteTarget>,
): Promise<Sink> {
  const { path, format, labels, name, types, counter } = plan;
  if (format === 'npy') return NpySink.open(path);
  const arrow = format === 'arrow' ? await arrowLibrary() : null;
  const to = await open();
  const rows = labels ? new LabelRows(labels, counter) : new PlainRows(name);
  switch (format) {
    case 'json':
      return labels || hasRows(first) ? new JsonSink(to, rows) : new WholeSink(to, 'json');
    case 'jsonl':
      return new JsonLinesSink(to, rows);
    case 'csv':
      return new CsvSink(to, rows);
    case 'npz':
      return new WholeSink(to, 'npz');
    case 'arrow': {
      const isStream = descriptorOf(path) !== null || extname(path) === '.arrows';
      return new ArrowSink(arrow as Library, to, { isStream, types, name });
    }
    case 'table':
      return new TableSink(to, new LabelRows(labels ?? [], counter, kDigits));
  }
}

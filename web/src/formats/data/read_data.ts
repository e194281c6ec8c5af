// SPDX-License-Identifier: MIT
// Readers of data for training. This chunk is fetched at the first use.
import { append } from '../../base/array.js';
import { checkOptions, refuse } from '../../base/check.js';
import { type ModelSource, type SourceOptions, sourceOptions } from '../../base/model_source.js';
import { readNpy as parseNpy, type NumpyArray } from '../numpy/npy.js';
import type { OpenFile } from '../open/open_file.js';
import { openSource } from '../open/source.js';
import { type CsvRecord, CsvRecords } from './csv_records.js';
import { decodeText } from './invalid_utf8.js';
import { type CsvOptions, type CsvTable, tableOf } from './csv_table.js';

/**
 * A NumPy array in row-major order. `data` has float16 as Float32Array, bool as Uint8Array, and
 * 64-bit integers as Float64Array.
 */
export type NumpyFile = Readonly<NumpyArray>;

/** Number of characters that are read without a pause. */
const kPiece = 2 ** 20;

const open = (source: ModelSource, options: SourceOptions): Promise<OpenFile> =>
  // Any bytes may be text, and the reader of NumPy's files checks the first bytes itself.
  openSource(source, options, () => undefined);

/** Implements `readCsv`. @internal */
export async function readCsv(source: ModelSource, options: CsvOptions): Promise<CsvTable> {
  const { header } = checkOptions(options, { ...sourceOptions, header: 1 });
  if (header !== undefined && typeof header !== 'boolean') {
    refuse('header', 'true or false', header);
  }
  const { name, bytes, budget } = await open(source, options);
  const text = decodeText(bytes, name);
  const reader = new CsvRecords(name);
  const records: CsvRecord[] = [];
  for (let at = 0; at < text.length || at === 0; at += kPiece) {
    await budget.pause();
    append(records, reader.push(text.slice(at, at + kPiece), at + kPiece >= text.length));
  }
  return tableOf(records, name, header, budget);
}

/** Implements `readNpy`. @internal */
export async function readNpy(source: ModelSource, options: SourceOptions): Promise<NumpyFile> {
  const { name, bytes, budget } = await open(source, checkOptions(options, sourceOptions));
  return parseNpy(bytes, name, budget);
}

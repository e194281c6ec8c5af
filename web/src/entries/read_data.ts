// SPDX-License-Identifier: MIT
// `readCsv` and `readNpy` of maskflow/train.
import type { CsvOptions, CsvTable } from '../formats/data/csv_table.js';
import type { NumpyFile } from '../formats/data/read_data.js';
import type { ModelSource, SourceOptions } from '../base/model_source.js';

export type { CsvOptions, CsvTable, NumpyFile };

/** Source of data: an address, a path in Node, a file, a handle of one, bytes or a stream. */
type DataSource = Extract<
  ModelSource,
  | string
  | URL
  | Blob
  | Request
  | Response
  | ArrayBuffer
  | ArrayBufferView
  | ReadableStream
  | FileSystemFileHandle
>;

/**
 * Reads a table with a header line. Columns of numbers become Float32Arrays (an empty cell is NaN),
 * other columns become lists of texts. The code is fetched at the first call.
 *
 * Throws FormatError, with the line, for rows of unequal length.
 *
 * @param source An address, a path, a file, or its bytes.
 *
 * @example
 * const table = await readCsv('prices.csv');
 * const windows = timeseriesWindows(table.matrix(['open', 'close']), null, { sequenceLength: 8 });
 */
export async function readCsv(source: DataSource, options: CsvOptions = {}): Promise<CsvTable> {
  return (await import('../formats/data/read_data.js')).readCsv(source, options);
}

/**
 * Reads a file of `numpy.save`. 64-bit integers become floats. The code is fetched at the first
 * call.
 *
 * Throws FormatError for other files.
 *
 * @param source An address, a path, a file, or its bytes.
 *
 * @example
 * const { data, shape } = await readNpy('x.npy');
 * const x = tensor(data, { shape });
 */
export async function readNpy(source: DataSource, options: SourceOptions = {}): Promise<NumpyFile> {
  return (await import('../formats/data/read_data.js')).readNpy(source, options);
}

// SPDX-License-Identifier: MIT
// The second half of `readCsv`: rows of cells become a table, the result that users see.
import type { SourceOptions } from '../../base/model_source.js';
import { checkList, show } from '../../base/check.js';
import { FormatError, ValueError } from '../../base/errors.js';
import type { Budget } from '../open/budget.js';
import { nearestOf } from '../../base/nearest.js';
import { type Tensor, tensor } from '../../tensor/tensor.js';
import { bareCell, isHeading, numberOf } from './csv_cells.js';
import type { CsvRecord } from './csv_records.js';

/** Options of `readCsv`. */
export interface CsvOptions extends SourceOptions {
  /** Whether the first line has names. Default: it has if none of its cells is a number. */
  header?: boolean;
}

/** A column of numbers, or of texts. */
export type CsvColumn = Float32Array | readonly string[];

/** A table in memory, by column. */
export class CsvTable {
  /** @internal */
  constructor(
    /** Names of the columns; without a header line '0', '1', …. */
    readonly names: readonly string[],
    /** Number of rows. */
    readonly rows: number,
    /** The columns, in the order of `names`. */
    readonly columns: readonly CsvColumn[],
  ) {}

  /** Returns a column. Throws ValueError for an unknown name. */
  column(name: string): CsvColumn {
    const index = this.names.indexOf(name);
    if (index >= 0) return this.columns[index] as CsvColumn;
    throw new ValueError(
      `the table has no column ${show(name)}${nearestOf(String(name), this.names)}; it has ${this.names.join(', ')}`,
    );
  }

  /**
   * Returns columns of numbers as a tensor [rows, columns]; by default all such columns. Throws
   * ValueError for a column of texts. Call `ready()` first, and dispose of the result.
   */
  matrix(
    names: readonly string[] = this.names.filter((_, i) => !Array.isArray(this.columns[i])),
  ): Tensor {
    checkList(names, 'the names of columns');
    const columns = names.map((name) => {
      const column = this.column(name);
      if (column instanceof Float32Array) return column;
      throw new ValueError(
        `the column '${name}' has texts, such as ${show(column.find((cell) => numberOf(cell) === null))}; leave it out of matrix()`,
      );
    });
    const data = new Float32Array(this.rows * columns.length);
    for (const [i, column] of columns.entries()) {
      for (let row = 0; row < this.rows; row++) {
        data[row * columns.length + i] = column[row] as number;
      }
    }
    return tensor(data, { shape: [this.rows, columns.length] });
  }
}

/** Returns the column as numbers if each of its cells is a number or empty. */
function columnOf(cells: readonly string[], budget: Budget): CsvColumn {
  const numbers = new Float32Array(cells.length);
  for (const [row, cell] of cells.entries()) {
    budget.tick();
    const number = numberOf(cell);
    if (number === null && bareCell(cell) !== '') return cells.map(bareCell);
    numbers[row] = number ?? Number.NaN;
  }
  return numbers;
}

/** Makes a table of records. Throws FormatError for rows of unequal length. */
export async function tableOf(
  records: readonly CsvRecord[],
  what: string,
  header: boolean | undefined,
  budget: Budget,
): Promise<CsvTable> {
  const [first] = records;
  if (!first) throw new FormatError(`${what} has no rows`);
  const hasHeader = header ?? isHeading(first.cells);
  const width = first.cells.length;
  const wrong = records.find(({ cells }) => cells.length !== width);
  if (wrong) {
    throw new FormatError(
      `row ${wrong.row} of ${what} has ${wrong.cells.length} cells, but row ${first.row} has ${width}`,
    );
  }
  const rows = hasHeader ? records.slice(1) : records;
  const names = first.cells.map((cell, i) => (hasHeader ? bareCell(cell) : String(i)));
  const seen = new Set<string>();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) throw new FormatError(`${what} has two columns named '${twice}'`);
  const columns: CsvColumn[] = [];
  for (let i = 0; i < names.length; i++) {
    await budget.pause();
    columns.push(
      columnOf(
        rows.map(({ cells }) => cells[i] as string),
        budget,
      ),
    );
  }
  return new CsvTable(names, rows.length, columns);
}

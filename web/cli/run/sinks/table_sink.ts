// SPDX-License-Identifier: MIT
// The writer of tables for a person at the terminal.
import { columnWidths, table, tableLine } from '../../../src/base/table.js';
import { visible } from '../../../src/base/visible.js';
import type { Predicted, Sink } from '../rows.js';
import type { ByteTarget } from './byte_sink.js';
import type { RowWriter } from './row_writer.js';

/** Number of rows that decide about the widths of the columns. */
const kFirstRows = 1000;

/** A table for a person. Its columns are as wide as the first thousand rows need. */
export class TableSink implements Sink {
  readonly #to: ByteTarget;
  readonly #rows: RowWriter;
  #waiting: string[][] = [];
  #widths: readonly number[] | undefined;

  constructor(to: ByteTarget, rows: RowWriter) {
    this.#to = to;
    this.#rows = rows;
  }

  get hasBegun(): boolean {
    return this.#widths !== undefined;
  }

  async write(batch: Predicted): Promise<void> {
    const rows = this.#rows.cells(batch);
    if (this.#widths) {
      const widths = this.#widths;
      return this.#lines(rows.map((row) => tableLine(row.map(visible), widths)));
    }
    for (const row of rows) this.#waiting.push(row);
    return this.#waiting.length >= kFirstRows ? this.#begin() : undefined;
  }

  #begin(): Promise<void> {
    const rows = this.#waiting.splice(0);
    const heading = this.#rows.heading() ?? [];
    this.#widths = columnWidths([heading, ...rows].map((row) => row.map(visible)));
    return this.#lines(table(heading, rows).slice(0, -1));
  }

  #lines(lines: readonly string[]): Promise<void> {
    return this.#to.text(lines.map((line) => `${line}\n`).join(''));
  }

  async end(): Promise<void> {
    if (!this.#widths) await this.#begin();
    await this.#to.end();
  }

  discard(): Promise<void> {
    return this.#to.discard();
  }
}

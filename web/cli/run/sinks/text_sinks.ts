// SPDX-License-Identifier: MIT
// Sinks of text: JSON, JSON lines and CSV.
import { jsonText } from '../../print.js';
import type { Predicted, Sink } from '../rows.js';
import type { ByteSink } from './byte_sink.js';
import type { RowWriter } from './row_writer.js';

/** One JSON array with an item for each row. */
export class JsonSink implements Sink {
  readonly #to: ByteSink;
  readonly #rows: RowWriter;
  #isFirst = true;

  constructor(to: ByteSink, rows: RowWriter) {
    this.#to = to;
    this.#rows = rows;
  }

  write(batch: Predicted): Promise<void> {
    const items = this.#rows.values(batch).map((value) => jsonText(value));
    const text = `${this.#isFirst ? '[' : items.length > 0 ? ',' : ''}${items.join(',')}`;
    if (items.length > 0) this.#isFirst = false;
    return items.length > 0 ? this.#to.text(text) : Promise.resolve();
  }

  async end(): Promise<void> {
    await this.#to.text(this.#isFirst ? '[]\n' : ']\n');
    await this.#to.end();
  }
}

/** The JSON of a row on each line. */
export class JsonLinesSink implements Sink {
  readonly #to: ByteSink;
  readonly #rows: RowWriter;

  constructor(to: ByteSink, rows: RowWriter) {
    this.#to = to;
    this.#rows = rows;
  }

  write(batch: Predicted): Promise<void> {
    const lines = this.#rows.values(batch).map((value) => `${jsonText(value)}\n`);
    return this.#to.text(lines.join(''));
  }

  end(): Promise<void> {
    return this.#to.end();
  }
}

/** A table with a row on each line. */
export class CsvSink implements Sink {
  readonly #to: ByteSink;
  readonly #rows: RowWriter;
  #hasBegun = false;

  constructor(to: ByteSink, rows: RowWriter) {
    this.#to = to;
    this.#rows = rows;
  }

  write(batch: Predicted): Promise<void> {
    const rows = this.#rows.cells(batch);
    const heading = this.#hasBegun ? null : this.#rows.heading();
    this.#hasBegun = true;
    const all = heading ? [[...heading], ...rows] : rows;
    return this.#to.text(all.map((row) => `${row.join(',')}\n`).join(''));
  }

  end(): Promise<void> {
    return this.#to.end();
  }
}

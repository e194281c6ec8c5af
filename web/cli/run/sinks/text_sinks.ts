// SPDX-License-Identifier: MIT
// Sinks of text: JSON, JSON lines and CSV.
import type { Predicted, Sink } from '../rows.js';
import type { ByteTarget } from './byte_sink.js';
import type { RowWriter } from './row_writer.js';

/** One JSON array with an item for each row. */
export class JsonSink implements Sink {
  readonly #to: ByteTarget;
  readonly #rows: RowWriter;
  #isFirst = true;

  constructor(to: ByteTarget, rows: RowWriter) {
    this.#to = to;
    this.#rows = rows;
  }

  get hasBegun(): boolean {
    return !this.#isFirst;
  }

  write(batch: Predicted): Promise<void> {
    const items = this.#rows.texts(batch);
    const text = `${this.#isFirst ? '[' : items.length > 0 ? ',' : ''}${items.join(',')}`;
    if (items.length > 0) this.#isFirst = false;
    return items.length > 0 ? this.#to.text(text) : Promise.resolve();
  }

  async end(): Promise<void> {
    await this.#to.text(this.#isFirst ? '[]\n' : ']\n');
    await this.#to.end();
  }

  discard(): Promise<void> {
    return this.#to.discard();
  }
}

/** The JSON of a row on each line. */
export class JsonLinesSink implements Sink {
  readonly hasBegun = true;
  readonly #to: ByteTarget;
  readonly #rows: RowWriter;

  constructor(to: ByteTarget, rows: RowWriter) {
    this.#to = to;
    this.#rows = rows;
  }

  write(batch: Predicted): Promise<void> {
    return this.#to.text(
      this.#rows
        .texts(batch)
        .map((text) => `${text}\n`)
        .join(''),
    );
  }

  end(): Promise<void> {
    return this.#to.end();
  }

  discard(): Promise<void> {
    return this.#to.discard();
  }
}

/** Most bad rows that wait for a prediction. */
const kMaxWaiting = 100_000;

/** A table with a row on each line. */
export class CsvSink implements Sink {
  readonly #to: ByteTarget;
  readonly #rows: RowWriter;
  /** Bad rows before the first prediction, which shows the columns. */
  #waiting: Predicted['entries'][number][] = [];
  #hasBegun = false;

  constructor(to: ByteTarget, rows: RowWriter) {
    this.#to = to;
    this.#rows = rows;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  async write(batch: Predicted): Promise<void> {
    const { entries } = batch;
    const isUnknown = !this.#hasBegun && entries.every(({ index }) => index < 0);
    if (!isUnknown || this.#waiting.length > kMaxWaiting) return this.#write(batch);
    for (const entry of entries) this.#waiting.push(entry);
    return undefined;
  }

  #write({ entries, outputs }: Predicted): Promise<void> {
    const rows = this.#rows.cells({ entries: [...this.#waiting.splice(0), ...entries], outputs });
    const heading = this.#hasBegun ? null : this.#rows.heading();
    this.#hasBegun = true;
    const all = heading ? [[...heading], ...rows] : rows;
    return this.#to.text(all.map((row) => `${row.join(',')}\n`).join(''));
  }

  async end(): Promise<void> {
    if (this.#waiting.length > 0) await this.#write({ entries: [], outputs: [] });
    await this.#to.end();
  }

  discard(): Promise<void> {
    return this.#to.discard();
  }
}

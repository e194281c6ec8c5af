// SPDX-License-Identifier: MIT
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { elementCount } from '../../../src/base/array.js';
import { ShapeError, UnsupportedError } from '../../../src/base/errors.js';
import type { TypedArray } from '../../../src/base/nested.js';
import { npyHeader } from '../../../src/formats/numpy/npy.js';
import type { Output } from '../../output.js';
import { withReason } from '../../files.js';
import type { Predicted, Sink } from '../rows.js';
import { severalOutputs } from './row_writer.js';
import { ByteSink } from './byte_sink.js';

/** Digits that the header has room for: the number of rows is known only at the end. */
const kDigits = 16;
const kPiece = 2 ** 18;

const isRegular = (path: string): boolean =>
  path !== '-' && (statSync(path, { throwIfNoEntry: false })?.isFile() ?? true);

/** Opens a file without a name, which is gone when the program ends, in whatever way. */
function openTemporary(): number {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-'));
  const file = openSync(join(folder, 'rows.npy'), 'w+');
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    remove();
  } catch {
    // Windows keeps the names of open files.
    process.once('exit', remove);
  }
  return file;
}

/**
 * A .npy file. Its header, which is first, needs the number of rows: it is written again at the
 * end. What goes into a pipe therefore waits in a temporary file.
 */
export class NpySink implements Sink {
  readonly #path: string;
  readonly #isDirect: boolean;
  #file: number | undefined;
  #first: Output | undefined;
  #rows = 0;
  /** Number of rows without a prediction before the first one with it. */
  #waiting = 0;

  constructor(path: string) {
    this.#path = path;
    this.#isDirect = isRegular(path);
  }

  #write(bytes: Uint8Array, position: number | null = null): void {
    withReason(this.#isDirect ? this.#path : tmpdir(), () => {
      this.#file ??= this.#isDirect ? openSync(this.#path, 'w') : openTemporary();
      for (let from = 0; from < bytes.length; ) {
        const place = position === null ? null : position + from;
        from += writeSync(this.#file, bytes, from, bytes.length - from, place);
      }
    });
  }

  #header(): Uint8Array {
    const { shape = [0], dtype = 'float32' } = this.#first ?? {};
    return npyHeader([this.#rows, ...shape.slice(1)], dtype, kDigits);
  }

  write({ entries, outputs }: Predicted): void {
    const [only, ...others] = outputs;
    if (others.length > 0) throw severalOutputs(outputs.length, 'npy');
    if (!only) {
      this.#waiting += entries.length;
      return;
    }
    this.#begin(only);
    const size = elementCount(only.shape.slice(1));
    const data = entries.some(({ index }) => index < 0)
      ? withGaps(only, entries, size)
      : only.data.subarray(0, entries.length * size);
    this.#rows += entries.length;
    this.#writeData(data);
  }

  #begin(output: Output): void {
    if (!this.#first) {
      this.#first = { ...output, data: output.data.slice(0, 0) };
      this.#write(this.#header());
      const gaps = Array.from({ length: this.#waiting }, () => ({ index: -1 }));
      this.#waiting = 0;
      this.#rows += gaps.length;
      this.#writeData(withGaps(output, gaps, elementCount(output.shape.slice(1))));
    }
    const [first, rest] = [this.#first.shape.slice(1), output.shape.slice(1)];
    if (`${first}` === `${rest}`) return;
    throw new ShapeError(
      `batches have outputs of shapes [*,${first}] and [*,${rest}]; use jsonl, or pad all rows to one length`,
    );
  }

  #writeData(data: TypedArray): void {
    if (data.length > 0) this.#write(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }

  async end(): Promise<void> {
    this.#rows += this.#waiting;
    if (!this.#first) this.#write(this.#header());
    this.#write(this.#header(), 0);
    if (!this.#isDirect) await this.#copy();
    closeSync(this.#file as number);
  }

  /** Copies the temporary file to its destination. */
  async #copy(): Promise<void> {
    const to = new ByteSink(this.#path);
    const piece = Buffer.alloc(kPiece);
    for (let from = 0; ; ) {
      const count = readSync(this.#file as number, piece, 0, kPiece, from);
      if (count === 0) break;
      // A copy, because the stream keeps what it is given.
      await to.bytes(new Uint8Array(piece.subarray(0, count)));
      from += count;
    }
    await to.end();
  }
}

/** The data of a batch with NaN for each row without a prediction. */
function withGaps(
  { dtype, data }: Output,
  entries: readonly { index: number }[],
  size: number,
): TypedArray {
  if (entries.length > 0 && dtype !== 'float32') {
    throw new UnsupportedError(
      `--on-error null writes NaN, which an output of dtype ${dtype} cannot contain; use jsonl`,
    );
  }
  const all = new Float32Array(entries.length * size).fill(Number.NaN);
  for (const [i, { index }] of entries.entries()) {
    if (index >= 0) all.set(data.subarray(index * size, (index + 1) * size), i * size);
  }
  return all;
}

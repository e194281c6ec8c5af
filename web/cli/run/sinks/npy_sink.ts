// SPDX-License-Identifier: MIT
// The writer of .npy files, whose header needs the number of rows.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { elementCount } from '../../../src/base/array.js';
import { ShapeError, UnsupportedError } from '../../../src/base/errors.js';
import type { TypedArray } from '../../../src/base/nested.js';
import { npyHeader } from '../../../src/formats/numpy/npy.js';
import type { Output } from '../../output.js';
import { descriptorOf } from '../../descriptors.js';
import { FileOutput } from '../../output_file.js';
import { systemError } from '../../system_text.js';
import type { Predicted, Sink } from '../rows.js';
import { severalOutputs } from './row_writer.js';
import { ByteSink } from './byte_sink.js';

/** Digits that the header has room for: the number of rows is known only at the end. */
const kDigits = 16;
const kPiece = 2 ** 18;

/** Opens a file without a name, which is gone when the program ends, in whatever way. */
async function openTemporary(): Promise<FileHandle> {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-'));
  const file = await open(join(folder, 'rows.npy'), 'w+');
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    remove();
  } catch {
    // Windows keeps the names of open files.
    process.once('exit', remove);
  }
  return file;
}

/** The file for the rows: the output itself, or a temporary one for a pipe. */
interface RowsFile {
  write(bytes: Uint8Array, position: number | null): Promise<void>;
  /** Completes the output. */
  end(): Promise<void>;
  discard(): Promise<void>;
}

/** A temporary file, which is copied to a pipe at the end. */
class PipedRows implements RowsFile {
  readonly #to: ByteSink;
  readonly #file: FileHandle;

  constructor(to: ByteSink, file: FileHandle) {
    this.#to = to;
    this.#file = file;
  }

  async write(bytes: Uint8Array, position: number | null): Promise<void> {
    try {
      for (let from = 0; from < bytes.length; ) {
        const place = position === null ? null : position + from;
        const rest = bytes.length - from;
        from += (await this.#file.write(bytes, from, rest, place)).bytesWritten;
      }
    } catch (error) {
      throw systemError(tmpdir(), error as NodeJS.ErrnoException);
    }
  }

  async end(): Promise<void> {
    for (let from = 0; ; ) {
      // The stream keeps what it is given.
      const piece = Buffer.alloc(kPiece);
      const { bytesRead } = await this.#file.read(piece, 0, kPiece, from);
      if (bytesRead === 0) break;
      await this.#to.bytes(piece.subarray(0, bytesRead));
      from += bytesRead;
    }
    await this.#to.end();
    await this.#file.close();
  }

  async discard(): Promise<void> {
    await this.#file.close();
    await this.#to.discard();
  }
}

async function openRows(path: string): Promise<RowsFile> {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
  if (isFile && descriptorOf(path) === null) return FileOutput.open(path);
  return new PipedRows(await ByteSink.open(path), await openTemporary());
}

/**
 * A .npy file. Its header, which is first, needs the number of rows: it is written again at the
 * end. A file shows under its name only then, and what goes into a pipe waits in a temporary file.
 */
export class NpySink implements Sink {
  readonly #file: RowsFile;
  #first: Output | undefined;
  #rows = 0;
  /** Number of rows without a prediction before the first one with it. */
  #waiting = 0;

  private constructor(file: RowsFile) {
    this.#file = file;
  }

  static async open(path: string): Promise<NpySink> {
    return new NpySink(await openRows(path));
  }

  #write(bytes: Uint8Array, position: number | null = null): Promise<void> {
    return this.#file.write(bytes, position);
  }

  #header(): Uint8Array {
    const { shape = [0], dtype = 'float32' } = this.#first ?? {};
    return npyHeader([this.#rows, ...shape.slice(1)], dtype, kDigits);
  }

  async write({ entries, outputs }: Predicted): Promise<void> {
    const [only, ...others] = outputs;
    if (others.length > 0) throw severalOutputs(outputs.length, 'npy');
    if (!only) {
      this.#waiting += entries.length;
      return;
    }
    await this.#begin(only);
    const size = elementCount(only.shape.slice(1));
    const data = entries.some(({ index }) => index < 0)
      ? withGaps(only, entries, size)
      : only.data.subarray(0, entries.length * size);
    this.#rows += entries.length;
    await this.#writeData(data);
  }

  async #begin(output: Output): Promise<void> {
    if (!this.#first) {
      this.#first = { ...output, data: output.data.slice(0, 0) };
      await this.#write(this.#header());
      const gaps = Array.from({ length: this.#waiting }, () => ({ index: -1 }));
      this.#waiting = 0;
      this.#rows += gaps.length;
      await this.#writeData(withGaps(output, gaps, elementCount(output.shape.slice(1))));
    }
    const [first, rest] = [this.#first.shape.slice(1), output.shape.slice(1)];
    if (`${first}` === `${rest}`) return;
    throw new ShapeError(
      `batches have outputs of shapes [*,${first}] and [*,${rest}]; use jsonl, or pad all rows to one length`,
    );
  }

  async #writeData(data: TypedArray): Promise<void> {
    if (data.length === 0) return;
    await this.#write(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }

  async end(): Promise<void> {
    this.#rows += this.#waiting;
    if (!this.#first) await this.#write(this.#header());
    await this.#write(this.#header(), 0);
    await this.#file.end();
  }

  discard(): Promise<void> {
    return this.#file.discard();
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

// SPDX-License-Identifier: MIT
import type * as Arrow from 'apache-arrow';
import { elementCount } from '../../../src/base/array.js';
import { UnsupportedError } from '../../../src/base/errors.js';
import type { Output } from '../../output.js';
import type { Library } from '../arrow_library.js';
import type { Predicted, Sink } from '../rows.js';
import type { ByteSink } from './byte_sink.js';
import { fieldNames, severalOutputs } from './row_writer.js';

/** Rows of a record batch. */
const kRows = 8192;

/** An Arrow file, or a stream for pipes: columns that pass through, and the column `output`. */
export class ArrowSink implements Sink {
  readonly #arrow: Library;
  readonly #to: ByteSink;
  readonly #types: ReadonlyMap<string, unknown>;
  readonly #writer: Arrow.RecordBatchWriter;
  readonly #bytes: Uint8Array[] = [];
  #schema: Arrow.Schema | undefined;
  #names: string[] | undefined;
  #fields: unknown[][] = [];
  #outputs: (ArrayLike<number> | null)[] = [];
  #shape: readonly number[] = [];

  /** `types`: the types of fields of Arrow data that pass through. */
  constructor(
    arrow: Library,
    to: ByteSink,
    isStream: boolean,
    types: ReadonlyMap<string, unknown>,
  ) {
    this.#arrow = arrow;
    this.#to = to;
    this.#types = types;
    this.#writer = isStream
      ? new arrow.RecordBatchStreamWriter()
      : new arrow.RecordBatchFileWriter();
    const queue = new arrow.AsyncByteQueue();
    queue.write = (chunk) => {
      this.#bytes.push(chunk as Uint8Array);
    };
    this.#writer.reset(queue);
  }

  async write(batch: Predicted): Promise<void> {
    const { entries, outputs } = batch;
    const [only, ...others] = outputs;
    if (others.length > 0) throw severalOutputs(outputs.length, 'arrow');
    if (only) this.#check(only);
    this.#names ??= fieldNames(batch);
    const size = elementCount(this.#shape);
    for (const { fields, index } of entries) {
      this.#names.forEach((name, i) => {
        this.#fields[i] ??= [];
        this.#fields[i].push(fields[name] ?? null);
      });
      this.#outputs.push(
        index < 0 || !only ? null : only.data.subarray(index * size, (index + 1) * size),
      );
    }
    if (this.#outputs.length >= kRows) await this.#flush();
  }

  #check({ shape, dtype }: Output): void {
    this.#shape = shape.slice(1);
    if (this.#shape.length <= 1 && dtype === 'float32') return;
    throw new UnsupportedError(
      `an output of shape [${shape}] and dtype ${dtype} cannot be a column of Arrow; use jsonl or npy`,
    );
  }

  /** Numbers, or lists of them; null for bad rows. */
  #outputVector(): Arrow.Vector {
    const { Field, FixedSizeList, Float32, vectorFromArray } = this.#arrow;
    const size = elementCount(this.#shape);
    if (size === 1) {
      const numbers = this.#outputs.map((row) => row?.[0] ?? null);
      return vectorFromArray(numbers, new Float32());
    }
    const type = new FixedSizeList(size, new Field('item', new Float32(), true));
    return vectorFromArray(
      this.#outputs.map((row) => row && Array.from(row)),
      type,
    );
  }

  #fieldVector(name: string, values: readonly unknown[]): Arrow.Vector {
    const { Float64, Utf8, vectorFromArray } = this.#arrow;
    const field = this.#schema?.fields.find((each) => each.name === name);
    const known = (field?.type ?? this.#types.get(name)) as Arrow.DataType | undefined;
    const isNumber = values.every((value) => value === null || typeof value === 'number');
    const type = known ?? (isNumber ? new Float64() : new Utf8());
    return vectorFromArray(
      values.map((value) => converted(this.#arrow, value, type)),
      type,
    );
  }

  async #flush(): Promise<void> {
    const { makeData, RecordBatch, Schema, Field, Struct } = this.#arrow;
    const names = this.#names ?? [];
    const vectors = [
      ...names.map((name, i) => this.#fieldVector(name, this.#fields[i] ?? [])),
      this.#outputVector(),
    ];
    this.#schema ??= new Schema(
      vectors.map(({ type }, i) => new Field(names[i] ?? 'output', type, true)),
    );
    const children = vectors.map((vector) => vector.data[0] as Arrow.Data);
    const length = this.#outputs.length;
    const data = makeData({
      type: new Struct(this.#schema.fields),
      length,
      nullCount: 0,
      children,
    });
    this.#fields = [];
    this.#outputs = [];
    this.#writer.write(new RecordBatch(this.#schema, data));
    await this.#send();
  }

  async #send(): Promise<void> {
    for (const bytes of this.#bytes.splice(0)) await this.#to.bytes(bytes);
  }

  async end(): Promise<void> {
    if (this.#outputs.length > 0 || !this.#schema) await this.#flush();
    this.#writer.finish();
    await this.#send();
    await this.#to.end();
  }
}

/** A value as the type of its column needs it. */
function converted(arrow: Library, value: unknown, type: Arrow.DataType): unknown {
  if (value === null) return null;
  if (arrow.DataType.isInt(type) && type.bitWidth === 64) return BigInt(value as number);
  if (!arrow.DataType.isUtf8(type) || typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

// SPDX-License-Identifier: MIT
// The writer of Arrow files and streams.
import type * as Arrow from 'apache-arrow';
import { elementCount } from '../../../src/base/array.js';
import { UnsupportedError } from '../../../src/base/errors.js';
import type { Output } from '../../output.js';
import { ArrowField, exactVector } from '../arrow_values.js';
import type { Library } from '../arrow_library.js';
import type { Predicted, Sink } from '../rows.js';
import { checkNames, fieldNames, fieldText, JsonText, valuesByName } from '../fields.js';
import type { ByteTarget } from './byte_sink.js';
import { severalOutputs } from './row_writer.js';

/** Rows of a record batch. */
const kRows = 8192;

interface ArrowPlan {
  /** The stream format, for pipes. */
  isStream: boolean;
  /** Types of fields of Arrow data that pass through. */
  types: ReadonlyMap<string, unknown>;
  /** Name of the column of predictions. */
  name: string;
}

/** An Arrow file, or a stream for pipes: columns that pass through, and predictions. */
export class ArrowSink implements Sink {
  readonly #arrow: Library;
  readonly #to: ByteTarget;
  readonly #types: ReadonlyMap<string, unknown>;
  readonly #output: string;
  readonly #writer: Arrow.RecordBatchWriter;
  readonly #bytes: Uint8Array[] = [];
  #schema: Arrow.Schema | undefined;
  #names: string[] | undefined;
  #fields: unknown[][] = [];
  #outputs: (ArrayLike<number> | null)[] = [];
  #shape: readonly number[] = [];

  constructor(arrow: Library, to: ByteTarget, { isStream, types, name }: ArrowPlan) {
    this.#output = name;
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
    this.#names ??= this.#namesOf(batch);
    const names = this.#names;
    const size = elementCount(this.#shape);
    for (const { fields, index } of entries) {
      const values = valuesByName(names, fields);
      for (let i = 0; i < names.length; i++) {
        const column = this.#fields[i] ?? [];
        this.#fields[i] = column;
        column.push(values[i] ?? null);
      }
      this.#outputs.push(
        index < 0 || !only ? null : only.data.subarray(index * size, (index + 1) * size),
      );
    }
    if (this.#outputs.length >= kRows) await this.#flush();
  }

  #namesOf({ entries }: Predicted): string[] {
    const names = fieldNames(entries);
    checkNames(names, [this.#output]);
    return names;
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
    const field = this.#schema?.fields.find((each) => each.name === name);
    const known = (field?.type ?? this.#types.get(name)) as Arrow.DataType | undefined;
    const type = known ?? typeFor(this.#arrow, values);
    if (known && values.some((value) => value instanceof ArrowField)) {
      return exactVector(this.#arrow, known, values as (ArrowField | null)[]);
    }
    const items = values.map((value) => converted(this.#arrow, name, value, type));
    return this.#arrow.vectorFromArray(items, type);
  }

  async #flush(): Promise<void> {
    const { makeData, RecordBatch, Schema, Field, Struct } = this.#arrow;
    const names = this.#names ?? [];
    const vectors = [
      ...names.map((name, i) => this.#fieldVector(name, this.#fields[i] ?? [])),
      this.#outputVector(),
    ];
    this.#schema ??= new Schema(
      vectors.map(({ type }, i) => new Field(names[i] ?? this.#output, type, true)),
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

  discard(): Promise<void> {
    return this.#to.discard();
  }
}

/** The number in a field of JSON, if it has all digits; NaN for another value. */
function exactNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (!(value instanceof JsonText) || !/^-?\d/.test(value.text)) return Number.NaN;
  const number = Number(value.text);
  const isExact = /^-?\d+$/.test(value.text)
    ? Number.isSafeInteger(number)
    : Number.isFinite(number) && significant(value.text) <= kExactDigits;
  return isExact ? number : Number.NaN;
}

/** Every number of so few digits has a float64 of its own. */
const kExactDigits = 15;

const significant = (text: string): number =>
  text.replace(/e.*$/i, '').replace(/^-?0*\.?0*|\./g, '').length;

/** The integer of 64 bits in a field of JSON; undefined for another value. */
function exactInteger(value: unknown): bigint | undefined {
  if (!(value instanceof JsonText) || !/^-?\d{1,19}$/.test(value.text)) return undefined;
  const integer = BigInt(value.text);
  return BigInt.asIntN(64, integer) === integer ? integer : undefined;
}

const isNull = (value: unknown): boolean =>
  value === null || (value instanceof JsonText && value.text === 'null');

/** The type of a column of JSON or CSV: numbers if that loses no digit, else text. */
function typeFor(arrow: Library, values: readonly unknown[]): Arrow.DataType {
  const present = values.filter((value) => !isNull(value));
  if (present.length > 0 && present.every((value) => !Number.isNaN(exactNumber(value)))) {
    return new arrow.Float64();
  }
  const isInteger =
    present.length > 0 && present.every((value) => exactInteger(value) !== undefined);
  return isInteger ? new arrow.Int64() : new arrow.Utf8();
}

/** A value as the type of its column needs it. Throws UnsupportedError if it would change. */
function converted(arrow: Library, name: string, value: unknown, type: Arrow.DataType): unknown {
  if (isNull(value)) return null;
  if (arrow.DataType.isUtf8(type)) return fieldText(value);
  if (!(value instanceof JsonText) && typeof value !== 'string') return value;
  const exact = arrow.DataType.isInt(type) ? exactInteger(value) : exactNumber(value);
  if (exact !== undefined && !Number.isNaN(exact)) return exact;
  throw new UnsupportedError(
    `the field '${name}' is ${fieldText(value).slice(0, 40)} in one row, which its column of ${type} cannot contain exactly; the first rows decide about the type, so use --format jsonl`,
  );
}

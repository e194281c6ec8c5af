// SPDX-License-Identifier: MIT
// Collects the values of one input of the model, row by row, until a batch is full.
import { elementCount } from '../../src/base/array.js';
import { ShapeError, ValueError } from '../../src/base/errors.js';
import { flatten, isTypedArray, type Nested } from '../../src/base/nested.js';
import { type Tensor, tensor } from '../../src/index.js';
import { fitShape } from '../data.js';
import { noteCut, type Padding, paddedLength, padRows, toSteps } from '../pad.js';
import type { RowInput } from './model_input.js';
import { PreparedColumn } from './prepared_column.js';
import type { Cuts, Place, RowArray } from './rows.js';

/** Values of one input for the rows of a batch. */
export interface InputColumn {
  /** Checks and adds the value of a row; throws ShapeError or ValueError and adds nothing. */
  add(value: unknown, place: Place): void;
  /** Removes the last row. */
  drop(): void;
  /** The values of the batch, for `predict`; begins a new batch. */
  take(): Tensor | readonly unknown[];
  /** Numbers of rows that were padded and cut; undefined for a column without padding. */
  readonly cuts?: Cuts | undefined;
  /** Called after the last row. */
  end(): void;
}

const isNumbers = (value: unknown): value is ArrayLike<number> =>
  isTypedArray(value) ||
  (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number'));

const isRowArray = (value: unknown): value is RowArray =>
  typeof value === 'object' && value !== null && 'shape' in value && 'data' in value;

/** The numbers of a row and their shape. */
function rowArray(value: unknown, place: Place): RowArray {
  if (isRowArray(value)) return value;
  if (isNumbers(value)) return { shape: [value.length], data: value };
  try {
    const { shape, items } = flatten(value as Nested);
    return { shape, data: items.map(Number) };
  } catch (error) {
    const { message } = error as Error;
    throw new ValueError(`${place}: ${message}`);
  }
}

/** Rows of equal shape. */
class NumberColumn implements InputColumn {
  readonly #input: RowInput;
  readonly #isStrict: boolean;
  #shape: readonly number[] | undefined;
  #items = new Float64Array(0);
  #rows = 0;

  constructor(input: RowInput, isStrict: boolean) {
    this.#input = input;
    this.#isStrict = isStrict;
  }

  add(value: unknown, place: Place): void {
    const { shape, data } = rowArray(value, place);
    if (this.#isStrict) this.#checkModel(shape, data.length, place);
    this.#shape ??= shape;
    this.#checkShape(shape, place);
    this.#reserve(data.length);
    this.#items.set(data, this.#rows * data.length);
    this.#rows++;
  }

  /** Throws ShapeError for a row that has not the shape that the model declares. */
  #checkModel(shape: readonly number[], count: number, place: Place): void {
    const [, ...wanted] = this.#input.shape;
    if (this.#input.shape.length === 0) return;
    const fits = (size: number, i: number): boolean => (wanted[i] ?? size) === size;
    if (shape.length === wanted.length && shape.every(fits)) return;
    const features = wanted[1] ?? 1;
    const isTable = shape.length === 1 && wanted.length === 2;
    if (isTable && count % features === 0 && fits(count / features, 0)) return;
    // A number is a row of one value, and the other way round.
    if (count === 1 && shape.length + wanted.length === 1) return;
    const sizes = wanted.map((size) => size ?? 'any').join(', ');
    if (shape.length === 1 && wanted.length === 1) {
      throw new ShapeError(
        `${place} has ${shape[0]} values, but the model accepts ${sizes}; use --pad to make rows equally long`,
      );
    }
    throw new ShapeError(`${place} has the shape [${shape}], but the model accepts [${sizes}]`);
  }

  #checkShape(shape: readonly number[], place: Place): void {
    const first = this.#shape as readonly number[];
    if (shape === first || (shape.length === first.length && `${shape}` === `${first}`)) return;
    if (shape.length === 1 && first.length === 1) {
      throw new ShapeError(
        `${place} has ${shape[0]} values, but the first row has ${first[0]}; use --pad to make rows equally long`,
      );
    }
    throw new ShapeError(`${place} has the shape [${shape}], but the first row has [${first}]`);
  }

  #reserve(size: number): void {
    if ((this.#rows + 1) * size <= this.#items.length) return;
    const items = new Float64Array(Math.max(32, this.#rows * 2) * size);
    items.set(this.#items.subarray(0, this.#rows * size));
    this.#items = items;
  }

  drop(): void {
    this.#rows--;
  }

  take(): Tensor {
    const shape = [this.#rows, ...(this.#shape ?? [])];
    const data = this.#items.subarray(0, elementCount(shape));
    this.#rows = 0;
    const array = fitShape({ shape, dtype: 'float64', data }, this.#input.shape);
    return tensor(data, { shape: array.shape, dtype: this.#input.dtype });
  }

  end(): void {}
}

/** Rows that are padded and cut to one length. */
class PaddedColumn implements InputColumn {
  readonly #input: RowInput;
  readonly #padding: Padding;
  readonly #maxlen: number;
  readonly cuts: Cuts = { rows: 0, cut: 0 };
  #rows: unknown[][] = [];

  constructor(input: RowInput, padding: Padding, maxlen: number) {
    this.#input = input;
    this.#padding = padding;
    this.#maxlen = maxlen;
  }

  add(value: unknown, place: Place): void {
    if (!Array.isArray(value)) {
      throw new ValueError(`${place} is not an array; --pad needs an array for each row`);
    }
    rowNumbers(value, place);
    this.#rows.push(toSteps(value, this.#input.shape, place));
  }

  drop(): void {
    this.#rows.pop();
  }

  take(): Tensor {
    const rows = this.#rows.splice(0);
    this.cuts.rows += rows.length;
    this.cuts.cut += rows.filter((row) => row.length > this.#maxlen).length;
    const { shape, data } = padRows(rows, this.#maxlen, this.#padding);
    return tensor(Float64Array.from(data), { shape, dtype: this.#input.dtype });
  }

  end(): void {
    noteCut(this.cuts.cut, this.cuts.rows, this.#maxlen, this.#padding);
  }
}

function rowNumbers(value: unknown, place: Place): void {
  if (Array.isArray(value)) {
    for (const item of value) rowNumbers(item, place);
  } else if (typeof value !== 'number' && typeof value !== 'boolean') {
    throw new ValueError(`${place} has ${JSON.stringify(value)}, which is not a number`);
  }
}

const isText = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 && value.every(isText) : typeof value === 'string';

/** Texts, one for each row. */
class TextColumn implements InputColumn {
  readonly #rows: unknown[] = [];

  add(value: unknown, place: Place): void {
    if (!isText(value)) {
      const shown = JSON.stringify(value)?.slice(0, 40);
      throw new ValueError(`${place} is ${shown}, which is not text`);
    }
    this.#rows.push(typeof value === 'string' ? [value] : value);
  }

  drop(): void {
    this.#rows.pop();
  }

  take(): readonly unknown[] {
    return this.#rows.splice(0);
  }

  end(): void {}
}

/** The column for an input. With padding, the length of rows must be known. */
export function inputColumn(
  input: RowInput,
  padding: Padding | null,
  isStrict: boolean,
): InputColumn {
  const { preparation } = input;
  if (preparation) {
    const plain: RowInput = { ...input, isText: false, preparation: undefined };
    return new PreparedColumn(inputColumn(plain, padding, isStrict), preparation);
  }
  if (input.isText) return new TextColumn();
  if (!padding) return new NumberColumn(input, isStrict);
  return new PaddedColumn(input, padding, paddedLength(input.shape, padding) as number);
}

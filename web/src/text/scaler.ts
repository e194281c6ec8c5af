// SPDX-License-Identifier: MIT
// Scalers of sklearn in JavaScript. sklearn_scalers.ts has the formulas of each class.
import { describe } from '../base/check.js';
import { ConfigError, ShapeError } from '../base/errors.js';
import { Identity } from '../base/identity.js';
import { flatten, nest, type Nested } from '../base/nested.js';
import { isTensor, type Tensor, tensor } from '../tensor/tensor.js';

/** Rows of numbers, or rows of steps: the last axis has the columns. */
export type ScalerRows = readonly (ArrayLike<number> | ScalerRows)[];

/** One step of a transformation: numbers of the columns, and the operation with each of them. */
export interface Step {
  readonly numbers: Float64Array | null;
  readonly apply: (value: number, number: number) => number;
  readonly invert: (value: number, number: number) => number;
}

/** Settings of {@link Scaler}. @internal */
interface ScalerParts {
  className: string;
  steps: readonly Step[];
  /** Limits of the result of `transform`; null for none. */
  clip: readonly [number, number] | null;
}

/**
 * A scaler of sklearn: it changes each column by its own numbers. `readPickle` returns it, and
 * `scalers` create it.
 */
export class Scaler extends Identity {
  /** Class name in sklearn. */
  readonly className: string;
  /** Number of columns. */
  readonly columns: number;
  readonly #steps: readonly Step[];
  readonly #clip: readonly [number, number] | null;

  /** @internal */
  constructor({ className, steps, clip }: ScalerParts) {
    super();
    this.className = className;
    this.#steps = steps.filter(({ numbers }) => numbers !== null);
    this.#clip = clip;
    const counts = this.#steps.map(({ numbers }) => (numbers as Float64Array).length);
    const other = counts.find((count) => count !== counts[0]);
    if (other !== undefined) {
      throw new ConfigError(
        `${className} has numbers of ${counts[0]} and of ${other} columns; they must be as many`,
      );
    }
    this.columns = counts[0] ?? 0;
  }

  /**
   * Scales rows. Rows are computed as 64-bit floats, as in sklearn. A tensor of floats is rounded
   * to 32 bits after each operation, as NumPy does, and the result keeps its mask.
   *
   * Throws ShapeError unless the last axis has one number for each column.
   *
   * @param x A tensor or rows: [rows, columns], or [rows, steps, columns].
   */
  transform<T extends Tensor | ScalerRows>(x: T): T extends Tensor ? Tensor : number[][] {
    return this.#run(x, this.#steps, 'apply', this.#clip) as never;
  }

  /** Returns the values before `transform`. */
  inverseTransform<T extends Tensor | ScalerRows>(y: T): T extends Tensor ? Tensor : number[][] {
    return this.#run(y, [...this.#steps].reverse(), 'invert', null) as never;
  }

  #run(
    x: Tensor | ScalerRows,
    steps: readonly Step[],
    direction: 'apply' | 'invert',
    clip: readonly [number, number] | null,
  ): unknown {
    const { shape, data, isFloat } = valuesOf(x, this.className);
    this.#check(shape);
    const columns = shape.at(-1) as number;
    const round = isFloat ? Math.fround : (value: number): number => value;
    const run = (value: number, column: number): number => {
      let result = value;
      for (const step of steps)
        result = round(step[direction](result, (step.numbers as Float64Array)[column] as number));
      // NaN stays, as in NumPy.
      if (clip && result < clip[0]) return clip[0];
      return clip && result > clip[1] ? clip[1] : result;
    };
    const results = Float64Array.from(data, (value, i) => run(value, i % columns));
    if (!isTensor(x)) return nest(Array.from(results), shape);
    const result = tensor(Float32Array.from(results), { shape });
    const { mask } = x;
    return mask ? result.withMask(mask) : result;
  }

  #check(shape: readonly number[]): void {
    const { columns, className } = this;
    if (shape.length < 2) {
      throw new ShapeError(
        `${className} scales rows, but x has the shape [${shape}]; write one row as [[…]]`,
      );
    }
    if (columns === 0 || shape.at(-1) === columns) return;
    throw new ShapeError(
      `${className} has ${columns} columns, but the last axis of x has ${shape.at(-1)}: its shape is [${shape}]`,
    );
  }
}

/** Returns the values of a tensor or of rows, and whether sklearn computes in 32 bits. */
function valuesOf(
  x: unknown,
  className: string,
): { shape: number[]; data: ArrayLike<number>; isFloat: boolean } {
  if (isTensor(x)) {
    return {
      shape: [...x.shape],
      data: x.data() as ArrayLike<number>,
      isFloat: x.dtype === 'float32',
    };
  }
  if (!Array.isArray(x)) {
    throw new ShapeError(`${className} needs a tensor or rows of numbers, not ${describe(x)}`);
  }
  const { shape, items } = flatten(x as unknown as Nested);
  const wrong = items.find((item) => typeof item !== 'number');
  if (wrong === undefined) return { shape: [...shape], data: items as number[], isFloat: false };
  throw new ShapeError(`${className} needs numbers, but a row has ${describe(wrong)}`);
}

// SPDX-License-Identifier: MIT
// The function `timeseriesWindows` of maskflow/train.
import { checkInteger, checkOptions, refuse } from '../base/check.js';
import { ShapeError, ValueError } from '../base/errors.js';
import { reshape, take } from '../ops/ops.gen.js';
import { asTensor, type Tensor, type TensorLike, tensor } from '../tensor/tensor.js';
import { keep, tidy } from '../tensor/tidy.js';
import { drawSeed } from '../ops/random_source.js';
import { permutation } from './random.js';

/** Options of `timeseriesWindows`, as in Keras's `timeseries_dataset_from_array`. */
export interface WindowOptions {
  /** Timesteps of a window. */
  sequenceLength: number;
  /** Distance between the starts of windows. Default: 1. */
  sequenceStride?: number;
  /** Distance between the timesteps of a window. Default: 1. */
  samplingRate?: number;
  /** Windows of a batch; the last one may have fewer. Default: 128. */
  batchSize?: number;
  /** Whether each epoch has another order. Default: false. */
  shuffle?: boolean;
  /** Seed of the order. Default: random. */
  seed?: number;
  /** First row to use. Default: 0. */
  startIndex?: number | null;
  /** Row before which windows end. Default: the number of rows. */
  endIndex?: number | null;
}

const names = {
  sequenceLength: 1,
  sequenceStride: 1,
  samplingRate: 1,
  batchSize: 1,
  shuffle: 1,
  seed: 1,
  startIndex: 1,
  endIndex: 1,
} as const;

/** Windows of a time series in batches. */
export class TimeseriesWindows implements Iterable<[Tensor, Tensor] | [Tensor]> {
  readonly #options: Required<WindowOptions>;
  readonly #starts: Int32Array;
  #round = 0;

  /** @internal */
  constructor(
    /** The time series, with a row for each timestep. */
    readonly data: TensorLike,
    /** Targets by row; null without targets. */
    readonly targets: TensorLike | null | undefined,
    options: WindowOptions,
  ) {
    const [rows, available] = [rowsOf(data, 'data'), targets ? rowsOf(targets, 'targets') : null];
    this.#options = checkedOptions(options, rows);
    const { sequenceLength, sequenceStride, samplingRate } = this.#options;
    const [start, end] = [this.#options.startIndex ?? 0, this.#options.endIndex ?? rows];
    const windows = end - start - (sequenceLength - 1) * samplingRate;
    const count = Math.min(windows, available === null ? windows : available - start);
    if (count < 1) {
      throw new ValueError(
        `${end - start} rows have no window of ${sequenceLength} steps with samplingRate ${samplingRate}${available === null ? '' : ` and ${available} targets`}; give more rows, or shorter windows`,
      );
    }
    this.#starts = Int32Array.from(
      { length: Math.ceil(count / sequenceStride) },
      (_, i) => start + i * sequenceStride,
    );
  }

  /** Number of windows. */
  get count(): number {
    return this.#starts.length;
  }
  /** Batches of an epoch. */
  get length(): number {
    return Math.ceil(this.count / this.#options.batchSize);
  }

  /** Batches `[windows, targets]`. Their tensors are disposed of when the next batch is read. */
  *[Symbol.iterator](): Generator<[Tensor, Tensor] | [Tensor]> {
    const { batchSize, shuffle, seed } = this.#options;
    const order = shuffle ? permutation(this.count, seed, this.#round++) : null;
    const temporary: Tensor[] = [];
    const converted = (value: TensorLike): Tensor => {
      const all = asTensor(value);
      if (all !== value) temporary.push(keep(all));
      return all;
    };
    let batch: Tensor[] = [];
    try {
      const x = converted(this.data);
      const y = this.targets ? converted(this.targets) : null;
      for (let first = 0; first < this.count; first += batchSize) {
        for (const used of batch) used.dispose();
        const starts = Int32Array.from(
          { length: Math.min(batchSize, this.count - first) },
          (_, i) => this.#starts[order ? (order[first + i] as number) : first + i] as number,
        );
        batch = tidy(() => [
          this.#windowsOf(x, starts),
          ...(y ? [take(y, tensor(starts), { axis: 0 })] : []),
        ]);
        for (const part of batch) keep(part);
        yield batch as [Tensor, Tensor];
      }
    } finally {
      for (const used of [...batch, ...temporary]) used.dispose();
    }
  }

  #windowsOf(x: Tensor, starts: Int32Array): Tensor {
    const { sequenceLength, samplingRate } = this.#options;
    const rows = new Int32Array(starts.length * sequenceLength);
    for (let i = 0; i < rows.length; i++) {
      const start = starts[Math.floor(i / sequenceLength)] as number;
      rows[i] = start + (i % sequenceLength) * samplingRate;
    }
    const flat = take(x, tensor(rows), { axis: 0 });
    return reshape(flat, [starts.length, sequenceLength, ...x.shape.slice(1)]);
  }
}

function rowsOf(value: TensorLike, what: string): number {
  const all = asTensor(value);
  const [rows] = all.shape;
  if (all !== value) all.dispose();
  if (rows === undefined) throw new ShapeError(`${what} is a single number but must have rows`);
  return rows;
}

function checkedOptions(options: WindowOptions, rows: number): Required<WindowOptions> {
  const {
    sequenceLength,
    sequenceStride = 1,
    samplingRate = 1,
    batchSize = 128,
    shuffle = false,
    seed = drawSeed(),
    startIndex = null,
    endIndex = null,
  } = checkOptions(options, names);
  const positive = { sequenceLength, sequenceStride, samplingRate, batchSize };
  for (const [name, value] of Object.entries(positive)) checkInteger(name, value, 1);
  checkInteger('seed', seed, 0);
  if (typeof shuffle !== 'boolean') refuse('shuffle', 'true or false', shuffle);
  const below = (name: string, value: number): void => {
    if (value >= rows) refuse(name, `less than the ${rows} rows`, value);
  };
  below('sequenceStride', sequenceStride);
  below('samplingRate', samplingRate);
  for (const [name, value] of Object.entries({ startIndex, endIndex })) {
    if (value === null) continue;
    checkInteger(name, value, name === 'endIndex' ? 1 : 0);
    below(name, value);
  }
  if (endIndex !== null && endIndex <= (startIndex ?? 0)) {
    refuse('endIndex', `more than startIndex, ${startIndex ?? 0}`, endIndex);
  }
  return {
    ...{ sequenceLength, sequenceStride, samplingRate, batchSize, shuffle, seed },
    ...{ startIndex, endIndex },
  };
}

/**
 * Cuts a time series into windows, in batches for `fit`, like Keras's
 * `timeseries_dataset_from_array`. Window i begins at row `startIndex + i * sequenceStride`, and
 * its target is the row of `targets` with the same number.
 *
 * Throws ValueError for options that leave no window.
 *
 * @param targets Rows of targets; null: windows without targets.
 *
 * @example
 * const windows = timeseriesWindows(series, series.slice(10), { sequenceLength: 10 });
 * await model.fit(windows, { epochs: 5 });
 */
export const timeseriesWindows = (
  data: TensorLike,
  targets: TensorLike | null | undefined,
  options: WindowOptions,
): TimeseriesWindows => new TimeseriesWindows(data, targets, options);

// SPDX-License-Identifier: MIT
// The function `verify` of the package, which shows whether a model computes here what Python
// recorded.
import { lookUp } from '../../base/names.js';
import type { LayerOutputs } from '../../layers/args.js';
import { checkOptions, checkSignal, show } from '../../base/check.js';
import type { SourceOptions } from '../../base/model_source.js';
import { Budget } from '../open/budget.js';
import { ShapeError, ValueError } from '../../base/errors.js';
import { visible } from '../../base/visible.js';
import { handleOf } from '../../layers/layer.js';
import type { Model } from '../../model/model.js';
import { tidy } from '../../tensor/tidy.js';
import { type DType, Tensor, tensor } from '../../tensor/tensor.js';
import { compare, type OutputCheck, type Tolerances } from './compare.js';
import { type PerName, type PlainArray, type Recorded, readRecorded } from './recorded.js';

export type { OutputCheck } from './compare.js';
export type { PerName, Recorded, RecordedArray, ShapedArray } from './recorded.js';

/** Options of `verify`. The tolerances `absolute` and `relative` are 1e-5 by default. */
export interface VerifyOptions
  extends Partial<Tolerances>,
    Pick<SourceOptions, 'limits' | 'signal'> {
  /**
   * Whether to leave out masked elements, by the recorded mask or else the model's. Default: false,
   * so results of masked steps must agree, too.
   */
  ignoreMasked?: boolean;
}

/** Result of `verify`. As a string, a report with a line for each output. */
export class Verification {
  constructor(
    /** Comparison of each output, in the order of the recording. */
    readonly outputs: readonly OutputCheck[],
  ) {}
  /** Whether all outputs agree. */
  get passed(): boolean {
    return this.outputs.every((output) => output.problem === null);
  }
  /** Returns a report with a line for each output. */
  toString(): string {
    const lines = this.outputs.map(
      ({ name, problem, compared, worst }) =>
        `output ${visible(name)}: ${problem ?? `${compared} elements agree, the worst within ${worst.absolute.toExponential(1)}`}`,
    );
    return lines.join('\n');
  }
}

const tensorDTypes: { [dtype: string]: DType } = {
  float32: 'float32',
  float16: 'float32',
  float64: 'float32',
  bool: 'bool',
};

/**
 * Converts an array to a tensor; 64-bit numbers to 32 bits. Throws ValueError if an integer does
 * not fit.
 */
export function toTensor({ shape, dtype, data }: PlainArray, targetType?: DType): Tensor {
  const tensorType = targetType ?? lookUp(tensorDTypes, dtype) ?? 'int32';
  const items = Array.isArray(data) ? Float64Array.from(data) : data;
  return tensor(items as Float64Array, { shape, dtype: tensorType });
}

function inputsOf(model: Model, inputs: PerName<PlainArray>): Tensor | Tensor[] | object {
  if (!Array.isArray(inputs)) {
    const entries = Object.entries(inputs as { [name: string]: PlainArray });
    return Object.fromEntries(entries.map(([name, array]) => [name, toTensor(array)]));
  }
  const list = inputs.map((array) => toTensor(array));
  if (list.length === 0)
    throw new ValueError(`the recording needs inputs for '${model.name}', but has none`);
  return list.length === 1 ? (list[0] as Tensor) : list;
}

function namedOutputs(outputs: LayerOutputs): [string, Tensor][] {
  if (outputs instanceof Tensor) return [['0', outputs]];
  return Object.entries(outputs as { [name: string]: Tensor });
}

/**
 * Runs a model on recorded inputs, all rows at once in inference mode, and compares its outputs
 * with the recorded ones, and its masks if they were recorded. A stateful model starts from cleared
 * states, and its states change.
 *
 * An element agrees if |output - recorded| ≤ absolute + relative · |recorded|; NaN agrees with NaN.
 * Throws FormatError for a recording that cannot be read, and ShapeError for another number of
 * outputs.
 */
export function verifyModel(
  model: Model,
  recorded: Recorded | string | Uint8Array | ArrayBuffer,
  options: VerifyOptions = {},
): Verification {
  const {
    absolute = 1e-5,
    relative = 1e-5,
    ignoreMasked = false,
    limits,
    signal,
  } = checkOptions(options, {
    limits: 1,
    signal: 1,
    absolute: 1,
    relative: 1,
    ignoreMasked: 1,
  });
  handleOf(model);
  if (![absolute, relative].every((each) => typeof each === 'number' && each >= 0)) {
    throw new ValueError(
      `absolute and relative must be 0 or more, not ${show(absolute)} and ${show(relative)}`,
    );
  }
  checkSignal(signal);
  const budget = Budget.ofData(limits, signal);
  const { inputs, outputs, masks } = readRecorded(recorded, budget);
  budget.check();
  if (model.stateful) model.resetState();
  return tidy(() => {
    const tensors = inputsOf(model, inputs) as Tensor;
    budget.check();
    const results = namedOutputs(budget.uncounted(() => model.apply<LayerOutputs>(tensors)));
    const expected = Object.entries(outputs);
    if (results.length !== expected.length) {
      throw new ShapeError(
        `the model has ${results.length} outputs, but the recording has ${expected.length}`,
      );
    }
    const checks = expected.map(([name, array], i) => {
      const output = results.find(([key]) => key === name) ?? (results[i] as [string, Tensor]);
      const mask = masks
        ? ((masks as { [name: string]: PlainArray | null })[name] ?? null)
        : undefined;
      const settings = { mask, ignoreMasked, absolute, relative };
      return compare(name, output[1], array, settings, () => budget.tick());
    });
    return new Verification(checks);
  });
}

// SPDX-License-Identifier: MIT
// Validation in `fit` by a class of models that overrides `evaluate`, which Keras's `fit` calls.
import type { Layer } from '../layers/layer.js';
import type { Evaluation } from '../measures/evaluation.js';
import { Model } from '../model/model.js';
import type { FitOptions } from '../model/train_options.js';
import type { Tensor } from '../tensor/tensor.js';
import { callbacksIn } from './callbacks_in.js';
import type { Data } from './data.js';
import { logsOf, stepData } from './own_step.js';
import { type IterableSource, RowSource, type Source } from './source.js';

type OwnEvaluate = (...args: readonly unknown[]) => unknown;

/** Returns `evaluate` of the model if its class overrides it, else null. */
export function ownEvaluate(model: Layer): OwnEvaluate | null {
  const { evaluate } = model as unknown as Partial<Model>;
  return evaluate === undefined || evaluate === Model.prototype.evaluate
    ? null
    : (evaluate as OwnEvaluate).bind(model);
}

/** Returns the rows of one validation; `temporary` receives new tensors. */
function rowsOf({ data, size, options }: RowSource, temporary: Tensor[]): Data {
  const rows = options.steps ? Math.min(options.steps * size, data.rows) : data.rows;
  if (rows === data.rows) return data;
  return data.part(0, rows).map((x) => {
    temporary.push(x);
    return x;
  });
}

function argumentsFor(source: Source, options: FitOptions, temporary: Tensor[]) {
  const callbacks = callbacksIn(options);
  const listening = callbacks.length > 0 ? { callbacks } : {};
  if (!(source instanceof RowSource)) return [() => (source as IterableSource).items(), listening];
  const [x, y, sampleWeight] = stepData(rowsOf(source, temporary));
  const weights = sampleWeight === undefined ? {} : { sampleWeight };
  return [x, y, { batchSize: source.size, ...weights, ...listening }];
}

/** Validates with such a method; it receives the rows or batches, and the callbacks of `fit`. */
export async function runOwnEvaluate(
  evaluate: OwnEvaluate,
  source: Source,
  options: FitOptions,
): Promise<Evaluation> {
  const temporary: Tensor[] = [];
  try {
    const result = await evaluate(...argumentsFor(source, options, temporary));
    return logsOf(result, 'the result of evaluate()');
  } finally {
    for (const tensor of temporary) tensor.dispose();
  }
}

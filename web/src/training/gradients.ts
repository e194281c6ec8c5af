// SPDX-License-Identifier: MIT
// The function `valueAndGradients` of maskflow/train. step.ts differentiates by it, too; the tape
// is in the core, `src/ops/tape`.
import { checkFunction, checkList, checkOptions, describe, refuse } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import { native, unwrap } from '../engine/engine.js';
import { guard } from '../layers/host.js';
import type { WeightInfo } from '../layers/layer_config.js';
import { compute } from '../layers/user_code.js';
import { beginCall } from './added_losses.js';
import { Variable } from '../layers/variable.js';
import { asTensor, isTensor, type Tensor, wrapTensor } from '../tensor/tensor.js';
import { tidy } from '../tensor/tidy.js';

/** Result of {@link valueAndGradients}. */
export interface ValueAndGradients {
  /** Result of the function. */
  value: Tensor;
  /** Gradient of each tensor or variable, in its shape; null if the value does not depend on it. */
  gradients: (Tensor | null)[];
}

/** Options of {@link valueAndGradients}. */
export interface GradientOptions {
  /**
   * Whether the function returns a list of two: the number to differentiate, and other results.
   * Tensors among these, also in lists and dictionaries, are returned as `aux`. Default: false.
   */
  hasAux?: boolean;
}

/** Returns the number and the other results of a function. */
function resultsOf(result: unknown, hasAux: boolean): readonly [Tensor, unknown] {
  if (hasAux && (!Array.isArray(result) || result.length !== 2)) {
    refuse('the result of the function', 'a list of two with hasAux: [loss, aux]', result);
  }
  const [value, aux] = hasAux ? (result as [unknown, unknown]) : [result, undefined];
  if (isTensor(value)) return [value, aux];
  const hint = Array.isArray(value) && !hasAux ? '; to return more, set { hasAux: true }' : '';
  throw new ValueError(
    `the function to differentiate must return a tensor of one number, not ${describe(value)}${hint}`,
  );
}

/**
 * Runs a function that computes one number (float32, one element) from tensors and weights. Returns
 * the number and its gradients, by reverse-mode differentiation. Layers, models and ops that the
 * function calls are recorded, also in custom layers, cells, losses and metrics. Results of
 * `predict` and numbers read from tensors are constants.
 *
 * Throws ValueError if the function returns something else, UnsupportedError if an op or layer has
 * no derivative, and StateError if it is called for the same tensors inside such a function.
 *
 * @param run The function to differentiate.
 * @param of Tensors and variables to differentiate by, such as `trainableWeights`.
 *
 * @example
 * const { value, gradients } = valueAndGradients(
 *   () => losses.meanSquaredError(y, model.apply(x, { training: true })),
 *   model.trainableVariables,
 * );
 */
export function valueAndGradients(
  run: () => Tensor,
  of: readonly (Tensor | Variable | WeightInfo)[],
  options?: GradientOptions & { hasAux?: false },
): ValueAndGradients;
/**
 * With `hasAux`, the function returns other results beside the number, such as the predictions.
 * They live on, like the value and the gradients.
 *
 * @param run The function to differentiate.
 * @param of Tensors and variables to differentiate by, such as `trainableWeights`.
 *
 * @example
 * const { value, aux, gradients } = valueAndGradients(
 *   () => {
 *     const predictions = model.apply(x, { training: true });
 *     return [losses.meanSquaredError(y, predictions), predictions];
 *   },
 *   model.trainableVariables,
 *   { hasAux: true },
 * );
 */
export function valueAndGradients<Aux>(
  run: () => readonly [Tensor, Aux],
  of: readonly (Tensor | Variable | WeightInfo)[],
  options: GradientOptions & { hasAux: true },
): ValueAndGradients & { aux: Aux };
export function valueAndGradients(
  run: () => unknown,
  of: readonly (Tensor | Variable | WeightInfo)[],
  options?: GradientOptions,
): ValueAndGradients & { aux?: unknown } {
  checkFunction(run, 'the first argument of valueAndGradients()');
  checkList(of, 'the second argument of valueAndGradients(f, model.trainableVariables)');
  const { hasAux = false } = checkOptions(options, { hasAux: 1 });
  return tidy(() => {
    beginCall();
    let results: readonly [Tensor, unknown] | undefined;
    const recorded = () =>
      guard(() => {
        results = resultsOf(run(), hasAux);
        return results[0].handle;
      });
    const variables = of.map((item) =>
      item instanceof Variable ? item.value : asTensor(item as Tensor),
    );
    const differentiate = () =>
      unwrap(
        native().differentiate(
          variables.map(({ handle }) => handle),
          recorded,
        ),
      );
    const handles = compute(differentiate);
    const gradients = handles.map((handle) => handle && wrapTensor(handle));
    const [value, aux] = results as readonly [Tensor, unknown];
    return hasAux ? { value, aux, gradients } : { value, gradients };
  });
}

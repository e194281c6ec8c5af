// SPDX-License-Identifier: MIT
import { checkFunction, describe, checkList } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import { native, unwrap } from '../engine/engine.js';
import { guard } from '../layers/host.js';
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
 * @param of Tensors and variables to differentiate by.
 *
 * @example
 * const { value, gradients } = valueAndGradients(
 *   () => losses.meanSquaredError(y, model.apply(x, { training: true })),
 *   model.trainableVariables,
 * );
 */
export function valueAndGradients(
  run: () => Tensor,
  of: readonly (Tensor | Variable)[],
): ValueAndGradients {
  checkFunction(run, 'the first argument of valueAndGradients()');
  checkList(of, 'the second argument of valueAndGradients()');
  return tidy(() => {
    beginCall();
    let value: Tensor | undefined;
    const recorded = () =>
      guard(() => {
        const result: unknown = run();
        if (!isTensor(result)) {
          throw new ValueError(
            `the function to differentiate must return a tensor of one number, not ${describe(result)}`,
          );
        }
        value = result;
        return result.handle;
      });
    const variables = of.map((item) => (item instanceof Variable ? item.value : asTensor(item)));
    const handles = unwrap(
      native().differentiate(
        variables.map(({ handle }) => handle),
        recorded,
      ),
    );
    const gradients = handles.map((handle) => handle && wrapTensor(handle));
    return { value: value as Tensor, gradients };
  });
}

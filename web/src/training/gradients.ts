// SPDX-License-Identifier: MIT
import { checkFunction, describe, checkList } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import { native, unwrap } from '../engine/engine.js';
import { guard } from '../layers/host.js';
import { Variable } from '../layers/variable.js';
import { asTensor, isTensor, type Tensor, wrapTensor } from '../tensor/tensor.js';
import { tidy } from '../tensor/tidy.js';

/** What {@link valueAndGradients} gives. */
export interface ValueAndGradients {
  /** What the function returned. */
  value: Tensor;
  /** One for each tensor or variable, of its shape; null where the value does not depend on it. */
  gradients: (Tensor | null)[];
}

/**
 * Runs a function that computes one number (float32, one element) from tensors and weights, and gives the number and its
 * gradients by reverse-mode differentiation. Layers, models and ops that the function calls are recorded, code of custom
 * layers, cells, losses and metrics included; what `predict` gives and what is read out of tensors are constants.
 *
 * ValueError: the function returns something else. UnsupportedError: an op or a layer on the way has no derivative.
 * StateError: called by a function that is being differentiated, for the same tensors.
 *
 * @example
 * const { value, gradients } = valueAndGradients(
 *   () => losses.meanSquaredError(y, model(x, { training: true })),
 *   model.trainableVariables,
 * );
 */
export function valueAndGradients(
  run: () => Tensor,
  of: readonly (Tensor | Variable)[],
): ValueAndGradients {
  checkFunction(run, 'what valueAndGradients() runs');
  checkList(of, 'what valueAndGradients() differentiates by');
  return tidy(() => {
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

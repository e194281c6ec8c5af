// SPDX-License-Identifier: MIT
// Converts what a user passes as x, y and weights to tensors.
import { ignorePromises, isPlain } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import { flatInputs, type LayerInputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import { countsOf as countInputs } from '../model/counts.js';
import type { Tensor } from '../tensor/tensor.js';
import { Data, toTensors } from './data.js';

/** A model with the numbers of its inputs and outputs. */
export interface Counts {
  readonly model: Layer;
  readonly inputs: number;
  readonly outputs: number;
}

/** Returns a model with the numbers of its inputs and outputs; 1 if they are not known. */
export const countsOf = (model: Layer): Counts => ({ model, ...countInputs(model) });

/** Converts inputs, targets and weights to tensors. `onCreate` receives each new tensor. */
export function dataOf(
  [x, y, weights]: readonly unknown[],
  { inputs, outputs }: { readonly inputs: number; readonly outputs: number },
  onCreate?: (tensor: Tensor) => void,
): Data {
  if (x === undefined || x === null) throw new ValueError('fit() needs x');
  if (inputs === 1 && isPlain(x) && 'x' in x && 'y' in x) {
    throw new ValueError('x is { x, y }; write fit(x, y)');
  }
  try {
    return new Data(
      toTensors(flatInputs(x as LayerInputs), 'x', inputs, onCreate),
      toTensors(flatInputs(y as LayerInputs), 'y', outputs, onCreate),
      toTensors(weights, 'sampleWeight', outputs, onCreate),
    );
  } catch (error) {
    ignorePromises([x, y, weights]);
    throw error;
  }
}

// SPDX-License-Identifier: MIT
// Copies for `checkPadding`, which runs a model on more steps than its file may allow.
import { UnsupportedError } from '../../base/errors.js';
import type { Config, Layer } from '../../layers/layer.js';
import { makeLayer } from '../../layers/serialization.js';
import type { DType, Tensor } from '../../tensor/tensor.js';

interface LayerJson {
  class_name?: unknown;
  config?: { batch_shape?: (number | null)[]; stateful?: boolean; [key: string]: unknown };
}

/** Shape and type of an input. */
export interface InputSpec {
  readonly shape: readonly (number | null)[];
  readonly dtype: DType;
}

/** The parts of a model that are needed here. */
export type CheckedModel = Layer & {
  readonly inputs: InputSpec[];
  toJSON(): unknown;
};

/** Returns the specs of the inputs; [] for a model that does not know them. */
export function inputSpecs(model: CheckedModel): readonly InputSpec[] {
  try {
    return model.inputs;
  } catch {
    return [];
  }
}

/** Removes the number of steps and the state of each layer in a config, at any depth. */
function loosen(json: unknown): void {
  JSON.stringify(json, (_, item: LayerJson | null) => {
    const config = item?.config;
    if (!config || typeof config !== 'object') return item;
    const shape = config.batch_shape;
    if (item.class_name === 'InputLayer' && Array.isArray(shape) && shape.length > 1) {
      config.batch_shape = [null, null, ...shape.slice(2)];
    }
    if (config.stateful) config.stateful = false;
    return item;
  });
}

/**
 * Returns a copy of the model, with the same weights, that accepts any number of steps and keeps no
 * state. Throws UnsupportedError if the model needs its number of steps.
 */
export function unboundedCopy(model: CheckedModel): CheckedModel {
  const json = structuredClone(model.toJSON()) as Config;
  loosen(json);
  let copy: CheckedModel | undefined;
  try {
    copy = makeLayer(json as never) as CheckedModel;
    copy.setWeights(model.getWeights() as Tensor[]);
    return copy;
  } catch (error) {
    copy?.dispose();
    throw new UnsupportedError(
      `the model accepts only one number of steps, and a copy of it that accepts any cannot be made: ${(error as Error).message}`,
    );
  }
}

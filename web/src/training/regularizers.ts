// SPDX-License-Identifier: MIT
import { lookUp } from '../base/names.js';
import { CallArguments, fromResult, type LayerInputs, type LayerOutputs } from '../layers/args.js';
import { native, unwrap } from '../engine/engine.js';
import { ShapeError, UnsupportedError } from '../base/errors.js';
import type { Layer } from '../layers/layer.js';
import type { ConfigValue } from '../engine/config_value.js';
import type { NativeLayer } from '../engine/native.js';
import { warningOnce } from '../layers/host.js';
import { eachInside } from '../layers/layer_objects.js';
import {
  absolute,
  add,
  divide,
  eye,
  matmul,
  multiply,
  normalize,
  square,
  subtract,
  sum,
  transpose,
} from '../ops/ops.gen.js';
import { type Tensor, wrapTensor } from '../tensor/tensor.js';

type Config = { [key: string]: ConfigValue };

/** Settings of the regularizers that Keras knows by a name alone. */
const named: Config = { l1: { l1: 0.01 }, l2: { l2: 0.01 } };

function read(regularizer: ConfigValue): { kind: string; config: Config } {
  if (typeof regularizer === 'string') {
    const kind = regularizer
      .toLowerCase()
      .replace(/_?regularizer$/, '')
      .replaceAll('_', '');
    return { kind, config: (lookUp(named, kind) ?? {}) as Config };
  }
  const { class_name = '', config } = (regularizer ?? {}) as Config;
  const kind = String(class_name)
    .toLowerCase()
    .replace(/regularizer$/, '');
  return { kind, config: (config ?? {}) as Config };
}

/** Keras's OrthogonalRegularizer: the mean of what the cosines of the rows (or columns) are beside 0. */
function orthogonal(x: Tensor, { factor = 0.01, mode = 'rows' }: Config): Tensor {
  if (x.rank !== 2) {
    throw new ShapeError(
      `the OrthogonalRegularizer is for weights of rank 2, not of shape [${x.shape}]; choose L1 or L2`,
    );
  }
  const unit = normalize(mode === 'rows' ? x : transpose(x), { axis: 1 });
  const size = unit.shape[0] as number;
  const cosines = absolute(matmul(unit, transpose(unit)));
  const others = sum(multiply(cosines, subtract(1, eye(size))));
  return multiply(others, (Number(factor) * 0.5) / ((size * (size - 1)) / 2));
}

/** What a regularizer of Keras, as it is configured, says of a tensor: a scalar. */
export function penaltyOf(regularizer: ConfigValue, x: Tensor): Tensor {
  const { kind, config } = read(regularizer);
  if (kind === 'orthogonal') return orthogonal(x, config);
  if (!['l1', 'l2', 'l1l2'].includes(kind)) {
    throw new UnsupportedError(
      `the regularizer ${JSON.stringify(regularizer)} is not known; there are L1, L2, L1L2 and OrthogonalRegularizer`,
    );
  }
  const [l1, l2] = [Number(config['l1'] ?? 0), Number(config['l2'] ?? 0)];
  const part = (factor: number, of: (x: Tensor) => Tensor) => multiply(sum(of(x)), factor);
  if (l1 && l2) return add(part(l1, absolute), part(l2, square));
  return l1 ? part(l1, absolute) : part(l2, square);
}

/**
 * Tells `found` of each trainable weight that is regularized, by the layer around that says so and the weight's place in that. `done`: settings
 * that the layer around has already applied. `seen`: layers that were met before.
 */
export function regularizedWeights(
  layer: NativeLayer,
  found: (layer: NativeLayer, place: number, regularizer: ConfigValue) => void,
  done: readonly string[] = [],
  seen = new Set<NativeLayer>(),
): void {
  const { id, kind } = unwrap(native().layerInfo(layer));
  if (seen.has(id)) return;
  seen.add(id);
  // What a class of the user's calls so is its own affair.
  const config = kind === 'layer' ? unwrap(native().layerGetConfig(layer)) : {};
  const own = Object.keys(config).filter(
    (key) =>
      /_regularizer$/.test(key) &&
      key !== 'activity_regularizer' &&
      config[key] !== null &&
      !done.includes(key),
  );
  if (own.length > 0) {
    unwrap(native().layerWeights(layer)).forEach(({ name, trainable }, i) => {
      const key = own.find((item) => {
        const what = item.replace(/_regularizer$/, '');
        // DepthwiseConv1D has no other kernel.
        const isKernel = what === 'depthwise' && name === 'kernel';
        return isKernel || name === what || name === `${what}_kernel`;
      });
      if (key && trainable) found(layer, i, config[key] as ConfigValue);
    });
  }
  eachInside(layer, (inner) => regularizedWeights(inner, found, [...done, ...own], seen));
}

/** The penalties on the weights of a model. */
export function weightPenalties(model: Layer): Tensor[] {
  const penalties: Tensor[] = [];
  regularizedWeights(model.handle, (layer, place, regularizer) => {
    const value = wrapTensor(unwrap(native().layerGetWeight(layer, place)));
    penalties.push(penaltyOf(regularizer, value));
  });
  return penalties;
}

/**
 * Calls a model; `penalties` are what the activity regularizers say of what its layers made, by the rows of that. `warned`: what was said
 * before, of batches that came earlier, and is not said again.
 */
export function applyWithPenalties(
  model: Layer,
  inputs: LayerInputs,
  training: boolean,
  warned: Set<string>,
): { outputs: LayerOutputs; penalties: Tensor[] } {
  const args = new CallArguments(inputs, { training }, model.argumentNames);
  try {
    const { result, activities } = warningOnce(warned, () =>
      unwrap(native().modelActivities(model.handle, args.native)),
    );
    const outputs = fromResult(result);
    const made = activities.map((one) => ({
      ...one,
      outputs: one.outputs.map((x) => wrapTensor(x)),
    }));
    const penalties = made.flatMap(({ regularizer, outputs: tensors }) =>
      tensors.map((x) => divide(penaltyOf(regularizer, x), x.shape[0] || 1)),
    );
    return { outputs, penalties };
  } finally {
    args.dispose();
  }
}

// SPDX-License-Identifier: MIT
import { lookUp } from '../base/names.js';
import { CallArguments, fromResult, type LayerInputs, type LayerOutputs } from '../layers/args.js';
import { native, unwrap } from '../engine/engine.js';
import { UnsupportedError } from '../base/errors.js';
import type { Layer } from '../layers/layer.js';
import type { NativeLayer, Plain } from '../engine/native.js';
import { eachInside } from '../layers/registry.js';
import {
  absolute,
  eye,
  matmul,
  multiply,
  normalize,
  square,
  subtract,
  sum,
  transpose,
} from '../ops/ops.gen.js';
import { tidy } from '../tensor/scope.js';
import { type Tensor, wrapTensor } from '../tensor/tensor.js';

type Config = { [key: string]: Plain };

/** Settings of the regularizers that Keras knows by a name alone. */
const named: Config = { l1: { l1: 0.01 }, l2: { l2: 0.01 } };

function read(regularizer: Plain): { kind: string; config: Config } {
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
function orthogonal(x: Tensor, { factor = 0.01, mode = 'rows' }: Config): number {
  const unit = normalize(mode === 'rows' ? x : transpose(x), { axis: 1 });
  const size = unit.shape[0] as number;
  const cosines = absolute(matmul(unit, transpose(unit)));
  const others = sum(multiply(cosines, subtract(1, eye(size)))).item();
  return (Number(factor) * 0.5 * others) / ((size * (size - 1)) / 2);
}

/** What a regularizer of Keras, as it is configured, says of a tensor. */
export function penaltyOf(regularizer: Plain, x: Tensor): number {
  const { kind, config } = read(regularizer);
  if (kind === 'orthogonal') return orthogonal(x, config);
  if (!['l1', 'l2', 'l1l2'].includes(kind)) {
    throw new UnsupportedError(
      `evaluate does not know the regularizer ${JSON.stringify(regularizer)}; it knows L1, L2, L1L2 and OrthogonalRegularizer`,
    );
  }
  const [l1, l2] = [Number(config['l1'] ?? 0), Number(config['l2'] ?? 0)];
  return (l1 && l1 * sum(absolute(x)).item()) + (l2 && l2 * sum(square(x)).item());
}

/**
 * The penalties of a layer and the layers inside on their trainable weights. `done`: settings that the layer around
 * has already applied to these weights. `seen`: layers that were met before.
 */
function weightPenalties(
  layer: NativeLayer,
  done: readonly string[],
  seen: Set<NativeLayer>,
): number {
  const { id, kind } = unwrap(native().layerInfo(layer));
  if (seen.has(id)) return 0;
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
  let total = 0;
  if (own.length > 0) {
    unwrap(native().layerWeights(layer)).forEach(({ name, trainable }, i) => {
      const key = own.find((item) => {
        const what = item.replace(/_regularizer$/, '');
        return name === what || name === `${what}_kernel`;
      });
      if (!key || !trainable) return;
      const value = wrapTensor(unwrap(native().layerGetWeight(layer, i)));
      total += penaltyOf(config[key] as Plain, value);
    });
  }
  eachInside(layer, (inner) => {
    total += weightPenalties(inner, [...done, ...own], seen);
  });
  return total;
}

/** Calls a model in inference mode; `penalty` is what the activity regularizers say of what its layers made. */
export function applyWithPenalty(
  model: Layer,
  inputs: LayerInputs,
): { outputs: LayerOutputs; penalty: number } {
  const args = new CallArguments(inputs, { training: false }, model.argumentNames);
  try {
    const { result, activities } = unwrap(native().modelActivities(model.handle, args.native));
    let penalty = 0;
    for (const { regularizer, outputs } of activities) {
      for (const handle of outputs) penalty += penaltyOf(regularizer, wrapTensor(handle));
    }
    return { outputs: fromResult(result), penalty };
  } finally {
    args.dispose();
  }
}

/** The sum of all that the weight regularizers of a model say; Keras adds it to the loss of each batch. */
export const regularization = (model: Layer): number =>
  tidy(() => weightPenalties(model.handle, [], new Set()));

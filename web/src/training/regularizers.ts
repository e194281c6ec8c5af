// SPDX-License-Identifier: MIT
// Penalties of regularizers. They are computed with ops, so that the tape records them; the core
// has only the settings.
import { describe } from '../base/check.js';
import { lookUp } from '../base/names.js';
import { CallArguments, fromResult, type LayerInputs, type LayerOutputs } from '../layers/args.js';
import { native, unwrap } from '../engine/engine.js';
import { ShapeError, UnsupportedError } from '../base/errors.js';
import type { Layer } from '../layers/layer.js';
import type { ConfigValue } from '../engine/config_value.js';
import type { NativeActivity, NativeArgs, NativeLayer, NativeResult } from '../engine/native.js';
import { compute } from '../layers/user_code.js';
import { beginModelCall, collectLosses, record } from './added_losses.js';
import { functionOf } from '../layers/custom_functions.js';
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
import { freeTensors, isTensor, type Tensor, wrapTensor } from '../tensor/tensor.js';
import { tidy } from '../tensor/tidy.js';

type Config = { [key: string]: ConfigValue };

/** Default settings of regularizers that are given by name. */
const defaults: Config = { l1: { l1: 0.01 }, l2: { l2: 0.01 } };

/** Returns the kind and settings of a regularizer. */
function parseRegularizer(regularizer: ConfigValue): { kind: string; config: Config } {
  if (typeof regularizer === 'string') {
    const kind = regularizer
      .toLowerCase()
      .replace(/_?regularizer$/, '')
      .replaceAll('_', '');
    return { kind, config: (lookUp(defaults, kind) ?? {}) as Config };
  }
  const { class_name = '', config } = (regularizer ?? {}) as Config;
  const kind = String(class_name)
    .toLowerCase()
    .replace(/regularizer$/, '');
  return { kind, config: (config ?? {}) as Config };
}

/** Keras's OrthogonalRegularizer: mean absolute cosine between different rows (or columns). */
function orthogonal(x: Tensor, { factor = 0.01, mode = 'rows' }: Config): Tensor {
  if (x.rank !== 2) {
    throw new ShapeError(
      `the OrthogonalRegularizer needs a weight of rank 2, but the shape is [${x.shape}]; choose L1 or L2`,
    );
  }
  const unit = normalize(mode === 'rows' ? x : transpose(x), { axis: 1 });
  const size = unit.shape[0] as number;
  const cosines = absolute(matmul(unit, transpose(unit)));
  const others = sum(multiply(cosines, subtract(1, eye(size))));
  return multiply(others, (Number(factor) * 0.5) / ((size * (size - 1)) / 2));
}

/** Returns the penalty that a function computes. */
function penaltyBy(f: (...args: never[]) => unknown, x: Tensor): Tensor {
  const penalty = f(x as never);
  if (isTensor(penalty) && penalty.size === 1) return sum(penalty);
  const found = isTensor(penalty) ? `shape [${penalty.shape}]` : describe(penalty);
  throw new ShapeError(
    `the regularizer '${f.name}' must return one number as a tensor, but returned ${found}; write ops.sum(…)`,
  );
}

/** Returns the penalty of a Keras regularizer on a tensor, as a scalar. */
export function penaltyOf(regularizer: ConfigValue, x: Tensor): Tensor {
  const f = functionOf(regularizer);
  if (f) return penaltyBy(f, x);
  const { kind, config } = parseRegularizer(regularizer);
  if (kind === 'orthogonal') return orthogonal(x, config);
  if (!['l1', 'l2', 'l1l2'].includes(kind)) {
    throw new UnsupportedError(
      `the regularizer ${JSON.stringify(regularizer)} is unknown; choose L1, L2, L1L2 or OrthogonalRegularizer`,
    );
  }
  const [l1, l2] = [Number(config['l1'] ?? 0), Number(config['l2'] ?? 0)];
  const part = (factor: number, of: (x: Tensor) => Tensor) => multiply(sum(of(x)), factor);
  if (l1 && l2) return add(part(l1, absolute), part(l2, square));
  return l1 ? part(l1, absolute) : part(l2, square);
}

/**
 * Calls `visit` for each trainable weight that is regularized, with the layer that has the setting
 * and the weight's index in that layer.
 *
 * @param applied Settings that an outer layer has already applied.
 * @param visited Layers that were visited before.
 */
export function regularizedWeights(
  layer: NativeLayer,
  visit: (layer: NativeLayer, index: number, regularizer: ConfigValue) => void,
  applied: readonly string[] = [],
  visited = new Set<NativeLayer>(),
): void {
  const { id, kind, trainable: trains } = unwrap(native().layerInfo(layer));
  // Keras counts the penalties of the weights that the outermost layer trains.
  if (visited.has(id) || (visited.size === 0 && !trains)) return;
  visited.add(id);
  // User-defined classes may use these names with another meaning.
  const config = kind === 'layer' ? unwrap(native().layerGetConfig(layer)) : {};
  const own = Object.keys(config).filter(
    (key) =>
      /_regularizer$/.test(key) &&
      key !== 'activity_regularizer' &&
      config[key] !== null &&
      !applied.includes(key),
  );
  if (own.length > 0) {
    unwrap(native().layerWeights(layer)).forEach(({ name, trainable }, i) => {
      const key = own.find((item) => {
        const weight = item.replace(/_regularizer$/, '');
        // In DepthwiseConv1D, depthwise_regularizer applies to the kernel.
        const isDepthwise = weight === 'depthwise' && name === 'kernel';
        return isDepthwise || name === weight || name === `${weight}_kernel`;
      });
      if (key && trainable) visit(layer, i, config[key] as ConfigValue);
    });
  }
  eachInside(layer, (inner) => regularizedWeights(inner, visit, [...applied, ...own], visited));
}

/** Returns the penalties on the weights of a model. */
export function weightPenalties(model: Layer): Tensor[] {
  const penalties: Tensor[] = [];
  regularizedWeights(model.handle, (layer, index, regularizer) => {
    const value = wrapTensor(unwrap(native().layerGetWeight(layer, index)));
    penalties.push(penaltyOf(regularizer, value));
  });
  return penalties;
}

/** Whether a call is running whose activities are collected, those of the layers inside as well. */
let isCollecting = false;

/**
 * Calls a layer. Returns also the penalties of activity regularizers on the outputs of the layers
 * inside, divided by their rows, which `losses` of the layer then has.
 */
function withActivities(
  layer: Layer,
  args: NativeArgs,
  inside: boolean,
): { result: NativeResult; penalties: Tensor[] } {
  const outer = isCollecting;
  isCollecting = true;
  try {
    const { result, activities } = unwrap(native().layerActivities(layer.handle, args, inside));
    try {
      const penalties = penaltiesOf(activities);
      for (const penalty of penalties) record(layer, penalty);
      return { result, penalties };
    } catch (error) {
      freeTensors(result.outputs);
      throw error;
    }
  } finally {
    isCollecting = outer;
  }
}

function penaltiesOf(activities: readonly NativeActivity[]): Tensor[] {
  // Wraps all tensors first, so that they are freed if a penalty throws.
  const wrapped = activities.map(({ regularizer, outputs }) => ({
    regularizer,
    tensors: outputs.map((x) => wrapTensor(x)),
  }));
  return wrapped.flatMap(({ regularizer, tensors }) =>
    tensors.map((x) => divide(penaltyOf(regularizer, x), x.shape[0] || 1)),
  );
}

/**
 * Calls a layer, for `apply`, with the penalties of its activity regularizers. Returns null if
 * there are none to look for: the caller then calls the layer.
 */
export function applyRegularized(layer: Layer, args: NativeArgs): NativeResult | null {
  if (isCollecting || !native().hasActivityRegularizers()) return null;
  return tidy(() => withActivities(layer, args, true).result);
}

/**
 * Calls a model. `penalties` are those of activity regularizers on the outputs of its layers,
 * divided by their rows, and the losses that layers added.
 */
export function applyWithPenalties(
  model: Layer,
  inputs: LayerInputs,
  training: boolean,
): { outputs: LayerOutputs; penalties: Tensor[] } {
  const args = new CallArguments(model, inputs, { training });
  beginModelCall(model);
  try {
    const { result: call, losses } = collectLosses(() =>
      compute(() => withActivities(model, args.native, training)),
    );
    return { outputs: fromResult(call.result), penalties: [...call.penalties, ...losses] };
  } finally {
    args.dispose();
  }
}

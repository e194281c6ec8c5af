// SPDX-License-Identifier: MIT
import { lookUp } from '../base/names.js';
import { CallArguments, fromResult, type LayerInputs, type LayerOutputs } from '../layers/args.js';
import { native, unwrap } from '../engine/engine.js';
import { UnsupportedError } from '../base/errors.js';
import type { Layer } from '../layers/layer.js';
import type { ConfigValue } from '../engine/config_value.js';
import type { NativeLayer } from '../engine/native.js';
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
import { type Tensor, tensor, wrapTensor } from '../tensor/tensor.js';

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
  const parts = [
    ...(l1 ? [multiply(sum(absolute(x)), l1)] : []),
    ...(l2 ? [multiply(sum(square(x)), l2)] : []),
  ];
  return total(parts) ?? tensor(0);
}

/** The sum of scalars; null of none. */
export const total = (parts: readonly Tensor[]): Tensor | null =>
  parts.length === 0 ? null : parts.reduce((all, part) => add(all, part));

/** A weight regularizer by the setting of its layer: { kernel_regularizer: … }. */
function weightRegularizers(layer: NativeLayer, kind: string): Config {
  // What a class of the user's calls so is its own affair.
  if (kind !== 'layer') return {};
  const entries = Object.entries(unwrap(native().layerGetConfig(layer)));
  return Object.fromEntries(
    entries.filter(
      ([key, value]) =>
        /_regularizer$/.test(key) && key !== 'activity_regularizer' && value !== null,
    ),
  );
}

/** The regularizers of a model: of its weights and of what its layers make. */
export class Regularizers {
  /** Of layers that were met; configurations do not change. */
  readonly #known = new Map<NativeLayer, Config>();
  #none = false;

  #ofWeights(
    layer: NativeLayer,
    done: readonly string[],
    seen: Set<NativeLayer>,
    found: Tensor[],
  ): void {
    const { id, kind } = unwrap(native().layerInfo(layer));
    if (seen.has(id)) return;
    seen.add(id);
    const own = this.#known.get(id) ?? weightRegularizers(layer, kind);
    this.#known.set(id, own);
    // The layer around has applied the same setting to these weights.
    const keys = Object.keys(own).filter((key) => !done.includes(key));
    if (keys.length > 0) addPenalties(layer, keys, own, found);
    eachInside(layer, (inner) => this.#ofWeights(inner, [...done, ...keys], seen, found));
  }

  /**
   * Calls a model; `penalties` are what the activity regularizers say of what its layers made, by the rows of that, and the
   * weight regularizers of its trainable weights. Keras adds them to the loss of each batch.
   */
  apply(
    model: Layer,
    inputs: LayerInputs,
    training: boolean,
  ): { outputs: LayerOutputs; penalties: Tensor[] } {
    const args = new CallArguments(inputs, { training }, model.argumentNames);
    try {
      const { result, activities } = unwrap(native().modelActivities(model.handle, args.native));
      const outputs = fromResult(result);
      const penalties = activities
        .map(({ regularizer, outputs: made }) => ({
          regularizer,
          made: made.map((x) => wrapTensor(x)),
        }))
        .flatMap(({ regularizer, made }) =>
          made.map((x) => divide(penaltyOf(regularizer, x), rowsOf(x))),
        );
      if (!this.#none) {
        this.#ofWeights(model.handle, [], new Set(), penalties);
        this.#none = [...this.#known.values()].every((own) => Object.keys(own).length === 0);
      }
      return { outputs, penalties };
    } finally {
      args.dispose();
    }
  }
}

const rowsOf = ({ shape }: Tensor): number => Math.max(shape[0] ?? 1, 1);

function addPenalties(
  layer: NativeLayer,
  keys: readonly string[],
  regularizers: Config,
  found: Tensor[],
): void {
  unwrap(native().layerWeights(layer)).forEach(({ name, trainable }, i) => {
    const key = keys.find((item) => {
      const what = item.replace(/_regularizer$/, '');
      return name === what || name === `${what}_kernel`;
    });
    if (!key || !trainable) return;
    const value = wrapTensor(unwrap(native().layerGetWeight(layer, i)));
    found.push(penaltyOf(regularizers[key] as ConfigValue, value));
  });
}

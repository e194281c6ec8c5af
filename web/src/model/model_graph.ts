// SPDX-License-Identifier: MIT
// The constructor of a functional model: symbolic inputs and outputs on their way into the core.
import { checkOptions, describe, isPlain, refuse } from '../base/check.js';
import { ConfigError } from '../base/errors.js';
import { settingsOf } from '../engine/config_value.js';
import { native, unwrap } from '../engine/engine.js';
import { leaves, type NestedSymbols } from '../layers/args.js';
import type { LayerConfig } from '../layers/layer.js';
import { Prepared } from '../layers/layer_objects.js';
import { Tensor } from '../tensor/tensor.js';

/** Symbolic tensors: one, a list or a dictionary, also nested. */
export type Symbols = NestedSymbols;

/** Settings of a {@link Model}. */
export interface ModelConfig extends LayerConfig {
  /** Symbolic tensors from `Input`. */
  inputs?: Symbols;
  /** Symbolic tensors that layers computed from the inputs. */
  outputs?: Symbols;
}

function structureOf(symbols: Symbols): {
  tensors: Tensor['handle'][];
  list: boolean;
  keys: string[];
} {
  if (symbols instanceof Tensor) return { tensors: [symbols.handle], list: false, keys: [] };
  const entries = leaves(symbols);
  const invalid = entries.find(([, symbol]) => !(symbol instanceof Tensor));
  if (invalid || entries.length === 0) {
    throw new ConfigError(
      `inputs and outputs of a model must be symbolic tensors, from Input({ shape }) on, not ${describe(invalid ? invalid[1] : symbols)}`,
    );
  }
  const tensors = entries.map(([, symbol]) => (symbol as Tensor).handle);
  const keys = entries.map(([key]) => key);
  if (!Array.isArray(symbols)) {
    const names = Object.keys(symbols);
    return { tensors, list: String(names) === String([...names].sort()), keys };
  }
  return { tensors, list: true, keys: keys.some((key) => key.includes(' / ')) ? keys : [] };
}

/** Settings of the class Model itself. A class of models may have others. */
const options = { inputs: 1, outputs: 1, name: 1, trainable: 1, dtype: 1 } as const;

/**
 * Creates the graph of a model from its settings; a custom model has none.
 *
 * @param isModel Whether the class is Model itself.
 */
export function prepare(config: ModelConfig | Prepared, isModel = false): LayerConfig | Prepared {
  if (config instanceof Prepared) return config;
  if (!isPlain(config as unknown)) {
    refuse(
      'the settings of a model',
      'an object: new Model({ inputs, outputs }), or left out',
      config,
    );
  }
  if (isModel) checkOptions<Omit<ModelConfig, 'inputShape' | 'batchInputShape'>>(config, options);
  if (!config.inputs && !config.outputs) return config;
  if (!config.inputs || !config.outputs)
    throw new ConfigError('a Model needs both inputs and outputs');
  const { name, trainable } = config;
  const settings = settingsOf({ name, trainable });
  return new Prepared(
    unwrap(
      native().functionalCreate(structureOf(config.inputs), structureOf(config.outputs), settings),
    ),
  );
}

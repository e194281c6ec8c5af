// SPDX-License-Identifier: MIT
// Errors for settings of Keras 1 and 2 that have another name in Keras 3: `init`, `border_mode`.
import { ConfigError } from '../base/errors.js';
import { lookUp, toCamel } from '../base/names.js';
import { creates } from './native_config.js';

/** Former names of settings as the core receives them, and the names in Keras 3. */
const former: { readonly [name: string]: string } = {
  input_dim: 'input_shape',
  output_dim: 'units',
  init: 'kernel_initializer',
  bias: 'use_bias',
  w_regularizer: 'kernel_regularizer',
  b_regularizer: 'bias_regularizer',
  inner_activation: 'recurrent_activation',
  inner_init: 'recurrent_initializer',
  dropout_w: 'dropout',
  dropout_u: 'recurrent_dropout',
  p: 'rate',
  nb_filter: 'filters',
  filter_length: 'kernel_size',
  subsample_length: 'strides',
  pool_length: 'pool_size',
  border_mode: 'padding',
};

/**
 * Looks for former names among settings that a class refused, and which it accepts under today's.
 * As in Keras, `inputDim` is `inputShape`. Throws ConfigError for the others.
 */
export function renameFormer(className: string, config: object): object | null {
  const names: string[] = [];
  const entries = Object.entries(config).map(([name, value]) => {
    const now = lookUp(former, name);
    if (!now || now in config) return [name, value];
    if (name === 'input_dim') return [now, [value]];
    names.push(`${toCamel(now)} in place of ${toCamel(name)}`);
    return [now, value];
  });
  const renamed = Object.fromEntries(entries);
  const isOther = entries.some(([name]) => !(name in config));
  if (!isOther || !creates(className, renamed)) return null;
  if (names.length === 0) return renamed;
  throw new ConfigError(`${className} has settings of Keras 1; write ${names.join(', ')}`);
}

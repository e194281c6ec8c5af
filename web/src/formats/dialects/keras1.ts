// SPDX-License-Identifier: MIT
// Names in configs of Keras 1.
import { type Json, lookUp } from '../json.js';

/** Today's names of settings of all classes. */
const commonNames: { [from: string]: string } = {
  init: 'kernel_initializer',
  inner_init: 'recurrent_initializer',
  inner_activation: 'recurrent_activation',
  W_regularizer: 'kernel_regularizer',
  U_regularizer: 'recurrent_regularizer',
  b_regularizer: 'bias_regularizer',
  W_constraint: 'kernel_constraint',
  U_constraint: 'recurrent_constraint',
  b_constraint: 'bias_constraint',
  dropout_W: 'dropout',
  dropout_U: 'recurrent_dropout',
  bias: 'use_bias',
  nb_filter: 'filters',
  filter_length: 'kernel_size',
  subsample_length: 'strides',
  atrous_rate: 'dilation_rate',
  border_mode: 'padding',
  pool_length: 'pool_size',
  stride: 'strides',
  p: 'rate',
  sigma: 'stddev',
  beta_init: 'beta_initializer',
  gamma_init: 'gamma_initializer',
};

/** Today's names of settings of a class; these come first. */
const ownNames: { [className: string]: { [from: string]: string } } = {
  Embedding: {
    init: 'embeddings_initializer',
    W_regularizer: 'embeddings_regularizer',
    W_constraint: 'embeddings_constraint',
  },
  Dense: { output_dim: 'units' },
  LSTM: { output_dim: 'units' },
  GRU: { output_dim: 'units' },
  SimpleRNN: { output_dim: 'units' },
  UpSampling1D: { length: 'size' },
  PReLU: { init: 'alpha_initializer' },
};

const classNames: { [from: string]: string } = {
  TimeDistributedDense: 'Dense',
  AtrousConvolution1D: 'Conv1D',
  AtrousConv1D: 'Conv1D',
  Convolution1D: 'Conv1D',
  SeparableConvolution1D: 'SeparableConv1D',
};

/** Today's name of a class. */
export const keras1ClassName = (name: string): string => lookUp(classNames, name) ?? name;

/** Renames the settings of a config to today's names. Configs of Keras 2 have no old names. */
export function renameSettings(className: string, config: Json): Json {
  const renamed: Json = {};
  const namesOfClass = lookUp(ownNames, className) ?? {};
  for (const [key, value] of Object.entries(config)) {
    renamed[lookUp(namesOfClass, key) ?? lookUp(commonNames, key) ?? key] = value;
  }
  if (className === 'LSTM' && 'forget_bias_init' in renamed) {
    renamed['unit_forget_bias'] = renamed['forget_bias_init'] === 'one';
    delete renamed['forget_bias_init'];
  }
  // The dropout of an Embedding drops whole words in training; it has no effect at inference.
  if (className === 'Embedding') delete renamed['dropout'];
  return renamed;
}

/** Describes a mode of BatchNormalization that Keras 2 removed; null for mode 0. */
export function modeProblem(name: string, config: Json): string | null {
  const mode = config['mode'];
  if (mode === undefined || mode === 0) return null;
  const scope =
    mode === 1 ? 'each sample by its own statistics' : 'each batch by its own statistics';
  return `'${name}': BatchNormalization with mode ${mode} of Keras 1, which normalizes ${scope}; only mode 0 is supported`;
}

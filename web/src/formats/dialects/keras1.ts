// SPDX-License-Identifier: MIT
// What Keras 1 called things.
import { type Json, lookUp } from '../json.js';

const everywhere: { [from: string]: string } = {
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

const own: { [className: string]: { [from: string]: string } } = {
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

export const className1 = (name: string): string => lookUp(classNames, name) ?? name;

/** The configuration with today's names. Nothing happens to one of Keras 2, which uses none of the old ones. */
export function settings1(className: string, config: Json): Json {
  const renamed: Json = {};
  const ofClass = lookUp(own, className) ?? {};
  for (const [key, value] of Object.entries(config)) {
    renamed[lookUp(ofClass, key) ?? lookUp(everywhere, key) ?? key] = value;
  }
  if (className === 'LSTM' && 'forget_bias_init' in renamed) {
    renamed['unit_forget_bias'] = renamed['forget_bias_init'] === 'one';
    delete renamed['forget_bias_init'];
  }
  // The dropout of an embedding, of whole words: nothing of it is left at inference.
  if (className === 'Embedding') delete renamed['dropout'];
  return renamed;
}

/** Modes of BatchNormalization that Keras 2 gave up. */
export function modeProblem(name: string, config: Json): string | null {
  const mode = config['mode'];
  if (mode === undefined || mode === 0) return null;
  const what =
    mode === 1 ? 'each sample by its own statistics' : 'each batch by its own statistics';
  return `'${name}': BatchNormalization with mode ${mode} of Keras 1, which normalises ${what}; only mode 0 can be had`;
}

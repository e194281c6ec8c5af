// SPDX-License-Identifier: MIT
// What an entry of a configuration says of itself: its class, its shape, the layers in it.
import type { SerializedObject } from '../artifact.js';
import { splitClass } from './context.js';
import { isRecord, type Json, listOf, lookUp } from '../json.js';
import { className1 } from './keras1.js';

const kModels = new Set(['Model', 'Functional', 'Sequential', 'Container', 'Network', 'Graph']);

/** A model, also of a class of somebody's own that was made from a graph. */
export function isModel(entry: Json): boolean {
  if (kModels.has(splitClass(entry).className)) return true;
  const config = entry['config'];
  return isRecord(config) && Array.isArray(config['layers']) && 'output_layers' in config;
}

/** The layers of a Sequential model: in Keras 1 and 2.0 the configuration is that list itself. */
export const layersOf = (config: unknown): Json[] =>
  listOf(isRecord(config) ? config['layers'] : config).filter(isRecord);

/** Classes by other names, with what their old settings meant. */
const replaced: { [className: string]: [string, Json] } = {
  CuDNNLSTM: ['LSTM', { activation: 'tanh', recurrent_activation: 'sigmoid' }],
  CuDNNGRU: ['GRU', { activation: 'tanh', recurrent_activation: 'sigmoid', reset_after: true }],
};

const kRecurrent = new Set('SimpleRNN LSTM GRU RNN ConvLSTM1D Bidirectional'.split(' '));

/** Does the class take the states as further inputs? */
export const isRecurrent = (className: string): boolean => kRecurrent.has(className);

/** The class that stands for one today, and what its settings mean. */
export const replacementOf = (className: string): [string, Json] =>
  lookUp(replaced, className) ?? [className, {}];

/** Today's name of a class. */
export const classNameOf = (entry: Json): string =>
  replacementOf(className1(splitClass(entry).className))[0];

/** An InputLayer of that shape, the batch first. */
export function newInput(name: string, shape: unknown, dtype: string): SerializedObject {
  return {
    module: 'keras.layers',
    class_name: 'InputLayer',
    config: { batch_shape: shape ?? null, dtype, sparse: false, ragged: false, name },
    registered_name: null,
  };
}

/** The input shape that a layer's configuration mentions, the batch first. */
export function shapeIn(config: Json): unknown[] | undefined {
  for (const key of ['batch_input_shape', 'batch_shape']) {
    if (Array.isArray(config[key])) return config[key];
  }
  for (const key of ['input_shape', 'shape']) {
    if (Array.isArray(config[key])) return [config['batch_size'] ?? null, ...config[key]];
  }
  return undefined;
}

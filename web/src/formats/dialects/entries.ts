// SPDX-License-Identifier: MIT
// Class, shape and sublayers of an entry of a config.
import type { SerializedObject } from '../artifact.js';
import { splitClass } from './context.js';
import { isRecord, type Json, listOf, lookUp } from '../json.js';
import { keras1ClassName } from './keras1.js';

const kModels = new Set(['Model', 'Functional', 'Sequential', 'Container', 'Network', 'Graph']);

/** Returns whether the entry is a model, including custom classes that have a graph. */
export function isModel(entry: Json): boolean {
  if (kModels.has(splitClass(entry).className)) return true;
  const config = entry['config'];
  return isRecord(config) && Array.isArray(config['layers']) && 'output_layers' in config;
}

/** The layers of a Sequential model. In Keras 1 and 2.0, the config itself is the list. */
export const layersOf = (config: unknown): Json[] =>
  listOf(isRecord(config) ? config['layers'] : config).filter(isRecord);

/** Replacements of old classes: today's class and the settings that it needs. */
const replaced: { [className: string]: [string, Json] } = {
  CuDNNLSTM: ['LSTM', { activation: 'tanh', recurrent_activation: 'sigmoid' }],
  CuDNNGRU: ['GRU', { activation: 'tanh', recurrent_activation: 'sigmoid', reset_after: true }],
};

const kRecurrent = new Set('SimpleRNN LSTM GRU RNN ConvLSTM1D Bidirectional'.split(' '));

/** Returns whether the layers of a class have further inputs for their states. */
export const isRecurrent = (className: string): boolean => kRecurrent.has(className);

/** Today's class for a class, and the settings that it needs. */
export const replacementOf = (className: string): [string, Json] =>
  lookUp(replaced, className) ?? [className, {}];

/** Today's name of a class. */
export const classNameOf = (entry: Json): string =>
  replacementOf(keras1ClassName(splitClass(entry).className))[0];

/** An InputLayer of this shape, which includes the batch. */
export function newInput(name: string, shape: unknown, dtype: string): SerializedObject {
  return {
    module: 'keras.layers',
    class_name: 'InputLayer',
    config: { batch_shape: shape ?? null, dtype, sparse: false, ragged: false, name },
    registered_name: null,
  };
}

/**
 * The input shape in a layer's config, including the batch; undefined if it has none. Files that
 * were edited by hand may have the names of TensorFlow.js's options.
 */
export function shapeIn(config: Json): unknown[] | undefined {
  for (const key of ['batch_input_shape', 'batch_shape', 'batchInputShape', 'batchShape']) {
    if (Array.isArray(config[key])) return config[key];
  }
  for (const key of ['input_shape', 'shape', 'inputShape']) {
    const batch = config['batch_size'] ?? config['batchSize'] ?? null;
    if (Array.isArray(config[key])) return [batch, ...config[key]];
  }
  return undefined;
}

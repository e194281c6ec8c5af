// SPDX-License-Identifier: MIT
// A check of every layer before it is written for TensorFlow.js, which would ignore what it lacks.
import type { SerializedObject } from '../artifact.js';
import { inTfjs } from './in_tfjs.gen.js';

const activations: { readonly [keras: string]: string } = {
  hard_sigmoid_keras2: 'hard_sigmoid',
  silu: 'swish',
  ...Object.fromEntries(
    'elu gelu selu relu relu6 linear sigmoid softplus softsign tanh softmax log_softmax mish'
      .split(' ')
      .map((name) => [name, name]),
  ),
};

const isTrue = (value: unknown): boolean => value === true;

/** Settings that TensorFlow.js refuses, ignores or understands differently. */
const refused: { readonly [key: string]: { matches(value: unknown): boolean; name: string } } = {
  reset_after: { matches: isTrue, name: 'GRU with reset_after (create it with resetAfter: false)' },
  scale: { matches: Array.isArray, name: 'Rescaling with a scale for each feature' },
  offset: { matches: Array.isArray, name: 'Rescaling with an offset for each feature' },
  padding: { matches: (value) => value === 'causal', name: 'causal padding' },
};

/** The settings of a layer that its backward copy shares. */
const sharedSettings = (entry: unknown): string => {
  const { config, name } = entry as { config: { [key: string]: unknown }; name?: string };
  const { go_backwards: _, name: __, seed: ___, ...rest } = config;
  return JSON.stringify([name !== undefined, rest]);
};

/** Returns whether the backward layer differs from the forward one, which TensorFlow.js copies. */
const hasOwnBackward = ({ class_name: name, config }: SerializedObject): boolean =>
  name === 'Bidirectional' &&
  Boolean(config['backward_layer']) &&
  sharedSettings(config['layer']) !== sharedSettings(config['backward_layer']);

/** TensorFlow.js's name of an activation; undefined if it lacks it. */
export const activationOf = (name: string): string | undefined =>
  Object.hasOwn(activations, name) ? activations[name] : undefined;

/** Parts of a layer that TensorFlow.js lacks, for the message. */
export function unsupportedParts(entry: SerializedObject): string[] {
  const { class_name: name, config } = entry;
  if (!inTfjs.has(name)) return [name];
  const settings = Object.entries(refused)
    .filter(([key, { matches }]) => matches(config[key]))
    .map(([, setting]) => setting.name);
  const unknown = ['activation', 'recurrent_activation']
    .map((key) => config[key])
    .filter((value) => typeof value === 'string' && activationOf(value) === undefined)
    .map((value) => `the activation ${value}${value === 'hard_sigmoid' ? ' of Keras 3' : ''}`);
  const backward = hasOwnBackward(entry) ? ['Bidirectional with its own backward layer'] : [];
  return [...settings, ...unknown, ...backward];
}

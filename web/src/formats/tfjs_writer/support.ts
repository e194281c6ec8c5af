// SPDX-License-Identifier: MIT
import type { SerializedObject } from '../artifact.js';
import { inTfjs } from './in_tfjs.gen.js';

const activations: { readonly [keras: string]: string } = {
  hard_sigmoid_keras2: 'hard_sigmoid',
  silu: 'swish',
  ...Object.fromEntries(
    'elu selu relu relu6 linear sigmoid softplus softsign tanh softmax log_softmax mish'
      .split(' ')
      .map((name) => [name, name]),
  ),
};

const isTrue = (value: unknown): boolean => value === true;

/** Settings that TensorFlow.js refuses, ignores or takes for something else. */
const refused: { readonly [key: string]: { is(value: unknown): boolean; why: string } } = {
  reset_after: { is: isTrue, why: 'GRU with reset_after (make it with resetAfter: false)' },
  padding: { is: (value) => value === 'causal', why: 'causal padding' },
};

const plain = (entry: unknown): string => {
  const { config, name } = entry as { config: { [key: string]: unknown }; name?: string };
  const { go_backwards: _, name: __, seed: ___, ...rest } = config;
  return JSON.stringify([name !== undefined, rest]);
};

/** TensorFlow.js makes the backward layer as a copy of the forward one. */
const hasOwnBackward = ({ class_name: name, config }: SerializedObject): boolean =>
  name === 'Bidirectional' &&
  Boolean(config['backward_layer']) &&
  plain(config['layer']) !== plain(config['backward_layer']);

/** Its name of an activation; undefined when it has none. */
export const activationOf = (name: string): string | undefined =>
  Object.hasOwn(activations, name) ? activations[name] : undefined;

/** What of a layer TensorFlow.js does not have, in words. */
export function lacks(entry: SerializedObject): string[] {
  const { class_name: name, config } = entry;
  if (!inTfjs.has(name)) return [name];
  const settings = Object.entries(refused)
    .filter(([key, { is }]) => is(config[key]))
    .map(([, { why }]) => why);
  const unknown = ['activation', 'recurrent_activation']
    .map((key) => config[key])
    .filter((value) => typeof value === 'string' && activationOf(value) === undefined)
    .map((value) => `the activation ${value}${value === 'hard_sigmoid' ? ' of Keras 3' : ''}`);
  const backward = hasOwnBackward(entry) ? ['Bidirectional with its own backward layer'] : [];
  return [...settings, ...unknown, ...backward];
}

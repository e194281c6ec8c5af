// SPDX-License-Identifier: MIT
// Operations that have other names in Keras's files than in the core, on their way into the core.
// write/keras_operations.ts converts in the other direction.
import { isRecord, lookUp } from '../json.js';
import type { SerializedObject } from '../artifact.js';

/** Operations that have another name in Keras's files, by that name. */
const ownNames: { readonly [name: string]: string } = {
  Amax: 'Max',
  Amin: 'Min',
  BitwiseNot: 'BitwiseInvert',
  Conjugate: 'ConvertToTensor',
  Copy: 'ConvertToTensor',
  CTCLoss: 'CtcLoss',
  EmptyLike: 'ZerosLike',
  LeftShift: 'BitwiseLeftShift',
  Real: 'ConvertToTensor',
  RightShift: 'BitwiseRightShift',
  SaturateCast: 'Cast',
};

/** Returns an operation with its names in the core. */
function withOwnName<T extends SerializedObject>(entry: T): T {
  const className = lookUp(ownNames, entry.class_name) ?? entry.class_name;
  if (className !== 'Vander') return { ...entry, class_name: className };
  const { N: n, ...config } = entry.config;
  return { ...entry, config: { ...config, n } };
}

/** Returns the config with the names that operations have in the core, at any depth of models. */
export function withOwnOpNames<T extends SerializedObject>(entry: T): T {
  if (/^keras.*\.ops\b/.test(String(entry.module))) return withOwnName(entry);
  const layers = isRecord(entry.config) ? entry.config['layers'] : undefined;
  if (!Array.isArray(layers)) return entry;
  const renamed = layers.map((layer) => (isRecord(layer) ? withOwnOpNames(layer as T) : layer));
  return { ...entry, config: { ...entry.config, layers: renamed } };
}

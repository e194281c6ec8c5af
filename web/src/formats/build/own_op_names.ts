// SPDX-License-Identifier: MIT
import { isRecord } from '../../base/json.js';
import type { SerializedObject } from '../artifact.js';

/** Operations that have another name in Keras's files, by that name. */
const ownNames = new Map([['CTCLoss', 'CtcLoss']]);

/** Returns the config with the names that operations have in the core, at any depth of models. */
export function withOwnOpNames<T extends SerializedObject>(entry: T): T {
  const name = String(entry.module).startsWith('keras') && ownNames.get(entry.class_name);
  if (name) return { ...entry, class_name: name };
  const layers = isRecord(entry.config) ? entry.config['layers'] : undefined;
  if (!Array.isArray(layers)) return entry;
  const renamed = layers.map((layer) => (isRecord(layer) ? withOwnOpNames(layer as T) : layer));
  return { ...entry, config: { ...entry.config, layers: renamed } };
}

// SPDX-License-Identifier: MIT
// Entries of layers in the config of a model that reads texts.
import type { SerializedObject } from '../formats/artifact.js';

/** The entry of a layer in the config of a model. */
export type Entry = SerializedObject & { name?: string; inbound_nodes?: { args: unknown[] }[] };

/** Returns the entries of the layers of a model; none for other layers. */
export const layersOf = (entry: SerializedObject): Entry[] => {
  const layers = entry.config?.['layers'];
  return Array.isArray(layers) ? layers : [];
};

/** Returns the name of a layer from its entry. */
export const nameOf = (entry: Entry): string => String(entry.name ?? entry.config['name']);

/** Returns whether a layer is an input. */
export const isInput = ({ class_name: name }: SerializedObject): boolean => name === 'InputLayer';

/** Returns whether a layer is an input of strings. */
export const isTextInput = (entry: SerializedObject): boolean =>
  isInput(entry) && entry.config['dtype'] === 'string';

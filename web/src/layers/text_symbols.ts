// SPDX-License-Identifier: MIT
// The service by which maskflow/text makes models of strings, which the core does not support.
import { Service } from '../base/service.js';
import { isForeign } from './registry.js';

/** A layer of maskflow/text, as far as other folders know it. */
export interface TextLayerLike {
  /** Class name, as in Keras. */
  readonly className: string;
  /** Converts texts. */
  apply(data: never): unknown;
  /** Returns the settings under Keras's names. */
  getConfig(): unknown;
}

/** Makes inputs and models of strings. */
export interface TextGraphs {
  /** Creates an input of strings. */
  input(options: object): object;
  /** Creates a model that has such inputs; undefined for other settings. */
  model(config: object, isSubclass: boolean): object | undefined;
  /** Creates a model that begins with layers of text; undefined for other layers. */
  sequential(layers: unknown, options: object, isSubclass: boolean): object | undefined;
  /** Creates a model that maps texts or categories from its config. */
  revive(config: object): object;
  /** Returns the config of a model that reads texts; undefined for other models. */
  whole(model: object): object | undefined;
  /** Creates a model with new weights from such a config. */
  clone(model: object, config: object): object;
  /** Appends an item to a Sequential that reads texts or begins to; false for all others. */
  append(model: object, item: unknown): boolean;
  /** Removes the last layer of a Sequential that reads texts. */
  removeLast(model: object): void;
}

/** Classes of layers that map text or categories. */
export const textLayers = [
  'TextVectorization',
  'StringLookup',
  'IntegerLookup',
  'Hashing',
  'HashedCrossing',
];

/** Returns whether a config has such a layer of Keras, at any depth. */
export function readsText(entry: unknown): boolean {
  const { class_name: name, config } = Object(entry) as { class_name?: string; config?: object };
  if (textLayers.includes(name as string)) return !isForeign(entry as object);
  const { layers } = Object(config) as { layers?: unknown };
  return Array.isArray(layers) && layers.some(readsText);
}

export const textGraphs = new Service<TextGraphs>(
  "models of strings need maskflow/text: write import 'maskflow/text' first",
  'ERR_NEEDS_TEXT',
);

// SPDX-License-Identifier: MIT
// The items of models of strings that a program makes: checks, and their entries in configs.
import { ConfigError } from '../base/errors.js';
import { native, unwrap } from '../engine/engine.js';
import type { SerializedObject } from '../formats/artifact.js';
import { Layer } from '../layers/layer.js';
import type { Prepared } from '../layers/layer_objects.js';
import { isTextLayer, type TextLayer } from './text_layer.js';

/** Returns whether a value is a layer of this folder. */
export const isText = (value: unknown): value is TextLayer =>
  !(value instanceof Layer) &&
  isTextLayer({ class_name: String((Object(value) as TextLayer).className), config: {} });

/** Throws ConfigError for a class of the program. */
export function refuseSubclass(isSubclass: boolean): void {
  if (!isSubclass) return;
  throw new ConfigError(
    'a class that extends Model or Sequential cannot begin with strings; put the layers of maskflow/text before it: new Sequential([vectorizer, model])',
  );
}

/** Throws ConfigError if two layers have one name, which files tell them apart by. */
export function checkNames(layers: Iterable<TextLayer>): void {
  const names = new Set<string>();
  for (const { name, className } of layers) {
    if (names.has(name)) {
      throw new ConfigError(
        `two layers of the model are called '${name}'; name one: new ${className}({ name: 'words' })`,
      );
    }
    names.add(name);
  }
}

/** Returns the entry of a layer in a config. */
export const layerEntry = (layer: TextLayer): SerializedObject => ({
  module: 'keras.layers',
  class_name: layer.className,
  config: { ...layer.getConfig(), name: layer.name },
  registered_name: null,
});

/** Returns the config of a graph of numbers. */
export const serialized = (handle: Prepared['handle']): SerializedObject =>
  unwrap(native().layerSerialize(handle)) as unknown as SerializedObject;

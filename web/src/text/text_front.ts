// SPDX-License-Identifier: MIT
// The part of a model that converts text, with the vocabularies and weights that files need.
import type { SerializedObject } from '../formats/artifact.js';
import { layerPaths } from '../formats/member_names.js';
import type { StoredGroup } from '../model/services.js';
import { type Entry, layersOf, nameOf } from './entries.js';
import { vocabularyOf } from './number_layer.js';
import { hasVocabulary, type TextLayer } from './text_layer.js';
import type { Front } from './text_reader.js';
import type { TextInput } from './text_parts.js';
import { TextVectorization } from './text_vectorization.js';

/** Layers that convert text, one after the other. */
export type Chain = readonly TextLayer[];
/** Layers that map text or categories by their entries in the config. */
export type Layers = ReadonlyMap<unknown, TextLayer>;

/** The entry of a layer with its vocabulary, and with weights if it has them. */
export const withVocabulary = (entry: Entry, layer: TextLayer): Entry =>
  hasVocabulary(layer) ? { ...entry, config: { ...entry.config, ...vocabularyOf(layer) } } : entry;

/** The config of the whole model with the vocabularies in it, as a file contains it. */
function withVocabularies(config: SerializedObject, layers: Layers): SerializedObject {
  const visit = (entry: Entry): Entry => {
    const layer = layers.get(entry);
    if (layer) return withVocabulary(entry, layer);
    if (!Array.isArray(entry.config['layers'])) return entry;
    return { ...entry, config: { ...entry.config, layers: layersOf(entry).map(visit) } };
  };
  return visit(config as Entry);
}

/** The weights of tf_idf, where Keras expects them. */
function weightGroupsOf(paths: ReadonlyMap<unknown, string>, layers: Layers): StoredGroup[] {
  return [...layers].flatMap(([entry, layer]) => {
    const [path, weights] = [paths.get(entry), hasVocabulary(layer) && layer.idfWeights];
    if (!path || !weights) return [];
    const data = Float32Array.from(weights);
    const arrays = [{ name: 'idf_weights', shape: [data.length], dtype: 'float32', data }];
    const own = { path, name: layer.name, arrays };
    if (!(layer instanceof TextVectorization)) return [own];
    return [own, { path: `${path}/_lookup_layer`, name: 'string_lookup', arrays }];
  });
}

/** Returns the part of a model that converts text. Vocabularies are those of the moment. */
export function frontOf(
  config: SerializedObject,
  inputs: readonly TextInput[],
  keys: readonly string[],
  textLayers: Layers,
): Front {
  const paths: ReadonlyMap<unknown, string> = layerPaths(config);
  return {
    inputs,
    keys,
    isSequential: !('input_layers' in config.config),
    layers: [...textLayers.values()],
    get config() {
      return withVocabularies(config, textLayers);
    },
    paths: new Map(layersOf(config).map((entry) => [nameOf(entry), paths.get(entry) ?? ''])),
    get weightGroups() {
      return weightGroupsOf(paths, textLayers);
    },
  };
}

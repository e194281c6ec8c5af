// SPDX-License-Identifier: MIT
// The layers of a model file that maskflow/text creates in place of the core.
import type { SerializedObject } from '../formats/artifact.js';
import type { VocabularyFiles } from '../formats/text_splitting.js';
import { HashedCrossing } from './hashed_crossing.js';
import { Hashing } from './hashing.js';
import {
  checkSizes,
  isVocabularyLayer,
  type Place,
  type VocabularyLayer,
  vocabularyLayer,
} from './vocabulary_file.js';

/** A layer that maps text or categories to numbers: one with a vocabulary, or one that hashes. */
export type TextLayer = VocabularyLayer | Hashing | HashedCrossing;

const hashes = { Hashing, HashedCrossing };

/** Returns whether the config is of a layer that maps text or categories. */
export const isTextLayer = (entry: SerializedObject): boolean =>
  Object.hasOwn(hashes, entry.class_name) || isVocabularyLayer(entry);

/** Returns whether the layer has a vocabulary. */
export const hasVocabulary = (layer: TextLayer): layer is VocabularyLayer =>
  'setVocabulary' in layer;

/** Creates such a layer from its config. */
export function textLayer(
  entry: SerializedObject,
  place: Place,
  files: VocabularyFiles,
): TextLayer {
  if (isVocabularyLayer(entry)) return vocabularyLayer(entry, place, files);
  const { class_name: className, config } = entry;
  if (config['output_mode'] !== 'int') checkSizes(String(config['name'] ?? className), config);
  return hashes[className as keyof typeof hashes].fromConfig(config);
}

// SPDX-License-Identifier: MIT
// The service by which maskflow/text separates layers that read strings from a model. Other entries
// have only this file, whose error names the entry to import.
import { Service } from '../base/service.js';
import { textLayers } from '../layers/text_symbols.js';
import type { NamedArray, SerializedObject } from './artifact.js';
import type { Model } from '../model/model.js';
import type { StoredGroup } from '../model/services.js';
import type { Prepared } from '../layers/layer_objects.js';
import type { Maker } from '../layers/registry.js';

/** A model without the layers that read text, and a function that puts these before it. */
export interface SplitModel {
  config: SerializedObject;
  make(prepared: Prepared): Model;
}

/** A model that puts layers back which the core does not have. */
export interface CompletesConfig {
  /** Paths of the model's own layers in its file, by name. */
  readonly layerPaths: ReadonlyMap<string, string>;
  /** Weights of the layers that the core does not have. */
  readonly weightGroups: readonly StoredGroup[];
  /** Returns the config of the whole model for that of its graph. */
  completeConfig(config: SerializedObject): SerializedObject;
}

/** Parts of a file that belong to layers with a vocabulary, by path. */
export interface VocabularyFiles {
  readonly texts: ReadonlyMap<string, string>;
  readonly weights: ReadonlyMap<string, NamedArray>;
}

/** Separates the layers that read text from a model; null if no layer reads strings. */
export type SplitText = (
  config: SerializedObject,
  files: VocabularyFiles,
  objects: { readonly [name: string]: unknown },
  makers: Map<string, Maker>,
) => SplitModel | null;

export const textSplitting = new Service<SplitText>(
  `the model has layers that read text (${textLayers.join(', ')}): import 'maskflow/text' before it is loaded`,
  'ERR_NEEDS_TEXT',
);

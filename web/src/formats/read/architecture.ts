// SPDX-License-Identifier: MIT
// A model's JSON without weights: from `to_json()` or `get_config()` of Keras 1 to 3, or from
// TF.js's `toJSON()`.
import { FormatError } from '../../base/errors.js';
import { isLegacyConfig } from '../../base/legacy_config.js';
import type { Artifact, ReadOptions } from '../artifact.js';
import { isRecord, type Json, textOf } from '../json.js';
import { toKeras3 } from '../dialects/to_keras3.js';
import { isArchitecture } from '../open/recognise.js';
import type { OpenFile } from '../open/open_file.js';

/** Finds the model's config in the JSON, and the version of Keras if it is there. */
function modelIn(json: unknown): { model: Json; version: string } {
  if (!isRecord(json)) return { model: { class_name: 'Sequential', config: json }, version: '' };
  const { model_config: inner, keras_version } = json;
  if (isRecord(inner)) {
    const { model, version } = modelIn(inner);
    return { model, version: version || textOf(keras_version) };
  }
  if ('class_name' in json) return { model: json, version: textOf(keras_version) };
  const className = 'input_layers' in json ? 'Functional' : 'Sequential';
  return { model: { class_name: className, config: json }, version: textOf(keras_version) };
}

/** Reads an architecture in any dialect. Throws FormatError for other JSON. */
export function readArchitecture(
  json: unknown,
  { name, budget }: Pick<OpenFile, 'name' | 'budget'>,
  { replaced }: ReadOptions = {},
): Artifact {
  if (!isArchitecture(json)) {
    throw new FormatError(
      `${name} is JSON, but neither an architecture (class_name and config, as model.to_json() writes) nor the model.json of a TF.js model, which has modelTopology and weightsManifest`,
    );
  }
  if (isRecord(json) && json['class_name'] === 'Tokenizer') {
    throw new FormatError(
      `${name} is a Tokenizer of Keras, not a model: read it with Tokenizer.fromJSON(text) of maskflow/text`,
    );
  }
  const { model, version } = modelIn(json);
  // Without a version, the spelling of the config decides.
  const assumed = version || (isLegacyConfig(model) ? '2.0' : '3.0');
  return { ...toKeras3(model, assumed, budget, replaced), kerasVersion: version, weights: null };
}

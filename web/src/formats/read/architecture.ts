// SPDX-License-Identifier: MIT
// A model's JSON without weights: what `to_json()` and `get_config()` of Keras 1, 2 and 3 and TF.js's `toJSON()` give.
import { FormatError } from '../../base/errors.js';
import { isLegacyConfig } from '../../base/legacy_config.js';
import type { Artifact, ReadOptions } from '../artifact.js';
import { isRecord, type Json, textOf } from '../json.js';
import { toKeras3 } from '../dialects/to_keras3.js';
import { isArchitecture } from '../open/recognise.js';
import type { OpenFile } from '../open/open_file.js';

/** The model, whatever stands around it. */
function modelIn(json: unknown): { model: Json; version: string } {
  if (!isRecord(json)) return { model: { class_name: 'Sequential', config: json }, version: '' };
  const { model_config: inside, keras_version } = json;
  if (isRecord(inside)) {
    const { model, version } = modelIn(inside);
    return { model, version: version || textOf(keras_version) };
  }
  if ('class_name' in json) return { model: json, version: textOf(keras_version) };
  const className = 'input_layers' in json ? 'Functional' : 'Sequential';
  return { model: { class_name: className, config: json }, version: textOf(keras_version) };
}

/** An architecture in any of the dialects. FormatError, with what there is, when it is none. */
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
  const { model, version } = modelIn(json);
  // Without a version the words decide.
  const judged = version || (isLegacyConfig(model) ? '2.0' : '3.0');
  return { ...toKeras3(model, judged, budget, replaced), kerasVersion: version, weights: null };
}

// SPDX-License-Identifier: MIT
// Recognises models of Keras before 3 and of TF.js. Every entry has it, so that `fromConfig` can
// refuse them; their readers are in formats/dialects.
import { ConfigError } from './errors.js';
import { isRecord, type Json } from './json.js';

/**
 * Returns whether a model's configuration is in the dialect of Keras 1, Keras 2 or TF.js. There,
 * words such as `hard_sigmoid`, inputs and calls have other meanings. These dialects name their
 * version, attach the input's shape to a layer, or write calls as bare lists; Keras 3 does not.
 */
export function isLegacyConfig(model: unknown): boolean {
  // A bare list is a Sequential of Keras 1.
  if (Array.isArray(model)) return true;
  if (!isRecord(model)) return false;
  const { keras_version: version, config = model } = model;
  if ('modelTopology' in model || 'model_config' in model || Array.isArray(config)) return true;
  if (typeof version === 'string' && !/^[3-9]/.test(version)) return true;
  const layers = (config as Json | null)?.['layers'];
  return (
    Array.isArray(layers) &&
    layers.some((layer) => isRecord(layer) && (isLegacyConfig(layer) || isLegacyLayer(layer)))
  );
}

function isLegacyLayer({ config, inbound_nodes: calls }: Json): boolean {
  if (isRecord(config) && ('batch_input_shape' in config || 'time_major' in config)) return true;
  const [call] = Array.isArray(calls) ? calls : [];
  return Array.isArray(call) || (isRecord(call) && !('args' in call));
}

/** Throws ConfigError for a model in an older dialect: only `loadModel` fetches its readers. */
export function refuseLegacyConfig(model: unknown): void {
  if (!isLegacyConfig(model)) return;
  throw new ConfigError(
    'the model is in the dialect of Keras 1, Keras 2 or TF.js; call await loadModel(json, { weights: null }), or { weights: file } to load its weights',
  );
}

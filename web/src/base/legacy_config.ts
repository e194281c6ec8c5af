// SPDX-License-Identifier: MIT
import { ConfigError } from './errors.js';
import { isRecord, type Json } from './json.js';

/**
 * Is a model's configuration in the dialect of Keras 1, Keras 2 or TF.js, whose words mean other things (`hard_sigmoid`, inputs,
 * calls)? They name their version, hang the input's shape on a layer, or list calls as bare lists; Keras 3 does none of it.
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

/** ConfigError for a model in an older dialect: its readers are fetched when they are needed. */
export function refuseLegacyConfig(model: unknown): void {
  if (!isLegacyConfig(model)) return;
  throw new ConfigError(
    'the model is in the dialect of Keras 1, Keras 2 or TF.js: await loadModel(json, { weights: null }) makes it, or { weights: file } with its weights',
  );
}

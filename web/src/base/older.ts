// SPDX-License-Identifier: MIT
import { ConfigError } from './errors.js';

type Json = { readonly [key: string]: unknown };

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/**
 * Is a model's configuration in the dialect of Keras 1, Keras 2 or TF.js, whose words mean other things (`hard_sigmoid`, inputs,
 * calls)? They name their version, hang the input's shape on a layer, or list calls as bare lists; Keras 3 does none of it.
 */
export function isOlder(model: unknown): boolean {
  if (!isRecord(model)) return false;
  const { keras_version: version, config = model } = model;
  if ('modelTopology' in model || 'model_config' in model || Array.isArray(config)) return true;
  if (typeof version === 'string' && !/^[3-9]/.test(version)) return true;
  const layers = (config as Json | null)?.['layers'];
  return (
    Array.isArray(layers) &&
    layers.some((layer) => isRecord(layer) && (isOlder(layer) || speaksOlder(layer)))
  );
}

function speaksOlder({ config, inbound_nodes: calls }: Json): boolean {
  if (isRecord(config) && ('batch_input_shape' in config || 'time_major' in config)) return true;
  return Array.isArray(calls) && isRecord(calls[0]) && !('args' in calls[0]);
}

/** ConfigError for a model in an older dialect: its readers are fetched when they are needed. */
export function refuseOlder(model: unknown): void {
  if (!isOlder(model)) return;
  throw new ConfigError(
    'the model is in the dialect of Keras 1, Keras 2 or TF.js: await loadModel(json, { weights: null }) makes it, or { weights: file } with its weights',
  );
}

// SPDX-License-Identifier: MIT
// The input of a Sequential model that does not list it.
import type { SerializedObject } from '../artifact.js';
import { classNameOf, isModel, layersOf, newInput, shapeIn } from './entries.js';
import { isRecord, type Json, textOf } from '../json.js';
import { dtypeName } from './settings.js';

interface FirstInput {
  shape: unknown;
  dtype: string;
}

/** The InputLayer that stands before the layers; null where one is there already, or nothing is known. */
export function inputOf(layers: Json[], buildShape?: unknown): SerializedObject | null {
  const [first] = layers;
  if (!first || first['class_name'] === 'InputLayer') return null;
  const known = firstInput(first) ?? firstInput(first, buildShape);
  if (!known) return null;
  const config = isRecord(first['config']) ? first['config'] : {};
  const name = textOf(config['name']) || textOf(first['name']) || 'sequential';
  return newInput(`${name}_input`, known.shape, known.dtype);
}

function firstInput(entry: Json, shape?: unknown): FirstInput | null {
  const config = entry['config'];
  if (isModel(entry)) {
    const [inner] = layersOf(config);
    return inner ? firstInput(inner, shape) : null;
  }
  if (!isRecord(config)) return null;
  const mentioned = shape ?? shapeIn(config) ?? shapeFromSizes(entry, config);
  if (Array.isArray(mentioned)) return { shape: mentioned, dtype: inputDtype(entry, config) };
  return isRecord(config['layer']) ? firstInput(config['layer']) : null;
}

// Keras 1: `input_dim` and `input_length`.
function shapeFromSizes(entry: Json, config: Json): unknown[] | undefined {
  const { input_dim: features, input_length: length = null } = config;
  if (classNameOf(entry) === 'Embedding')
    return [null, ...(Array.isArray(length) ? length : [length])];
  if (typeof features !== 'number') return undefined;
  return 'input_length' in config ? [null, length, features] : [null, features];
}

// The ids of an Embedding are whole, whatever the layer computes in.
function inputDtype(entry: Json, config: Json): string {
  if (entry['class_name'] === 'InputLayer') return dtypeName(config['dtype']) ?? 'float32';
  if (classNameOf(entry) === 'Embedding') return 'int32';
  return dtypeName(config['input_dtype']) ?? 'float32';
}

// SPDX-License-Identifier: MIT
// Finds the input of a Sequential model that does not list an InputLayer.
import type { SerializedObject } from '../artifact.js';
import { classNameOf, isModel, layersOf, newInput, shapeIn } from './entries.js';
import { isRecord, type Json, textOf } from '../json.js';
import { dtypeName } from './settings.js';

interface FirstInput {
  shape: unknown;
  dtype: string;
}

/** The InputLayer to add before the layers; null if there is one, or if its shape is unknown. */
export function inputOf(layers: Json[], buildShape?: unknown): SerializedObject | null {
  const [first] = layers;
  if (!first || first['class_name'] === 'InputLayer') return null;
  const input = firstInput(first) ?? firstInput(first, buildShape);
  if (!input) return null;
  const config = isRecord(first['config']) ? first['config'] : {};
  const name = textOf(config['name']) || textOf(first['name']) || 'sequential';
  return newInput(`${name}_input`, input.shape, input.dtype);
}

function firstInput(entry: Json, shape?: unknown): FirstInput | null {
  const config = entry['config'];
  if (isModel(entry)) {
    const [inner] = layersOf(config);
    return inner ? firstInput(inner, shape) : null;
  }
  if (!isRecord(config)) return null;
  const inputShape = shape ?? shapeIn(config) ?? shapeFromSizes(entry, config);
  if (Array.isArray(inputShape)) return { shape: inputShape, dtype: inputDtype(entry, config) };
  return isRecord(config['layer']) ? firstInput(config['layer']) : null;
}

/** Input shape from Keras 1's `input_dim` and `input_length`. */
function shapeFromSizes(entry: Json, config: Json): unknown[] | undefined {
  const { input_dim: features, input_length: length = null } = config;
  if (classNameOf(entry) === 'Embedding')
    return [null, ...(Array.isArray(length) ? length : [length])];
  if (typeof features !== 'number') return undefined;
  return 'input_length' in config ? [null, length, features] : [null, features];
}

/** Type of the input: the ids of an Embedding are integers, whatever its dtype. */
function inputDtype(entry: Json, config: Json): string {
  if (entry['class_name'] === 'InputLayer') return dtypeName(config['dtype']) ?? 'float32';
  if (classNameOf(entry) === 'Embedding') return 'int32';
  return dtypeName(config['input_dtype']) ?? 'float32';
}

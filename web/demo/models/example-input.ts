// SPDX-License-Identifier: MIT
import type { Model } from 'maskflow';
import type { Nested } from '../shared/text.js';

/** An input that fits a model, for lack of a better one. */
export interface Given {
  value: Nested;
  dtype: 'int32' | 'float32';
  /** What it is, in a sentence. */
  hint: string;
}

// Two rows, of which the second ends in padding; so many steps where the model leaves it open.
const [rows, steps, paddingSteps] = [2, 6, 2];

interface Config {
  class_name?: string;
  config?: { [key: string]: unknown };
}

/** Values for every input of a model: ids for an Embedding, a wave for features. */
export function exampleInput(model: Model): Given[] {
  const layers = configsOf(model.toJSON());
  const sizes = layers
    .filter(({ class_name }) => class_name === 'Embedding')
    .map(({ config }) => Number(config?.['input_dim']));
  const maskValues = layers
    .filter(({ class_name }) => class_name === 'Masking')
    .map(({ config }) => Number(config?.['mask_value'] ?? 0));
  return model.inputs.map(({ shape, dtype }) => {
    const full = shape.map((size, axis) => size ?? (axis === 0 ? rows : steps));
    const ids = full.length === 2 && (String(dtype).startsWith('int') || sizes.length > 0);
    return ids ? idsFor(full, Math.min(...sizes, 100)) : waveFor(full, maskValues[0] ?? 0);
  });
}

function idsFor(shape: number[], limit: number): Given {
  const value = fill(shape, ([row = 0, step = 0]) =>
    isPadding(shape, row, step) ? 0 : 1 + ((3 * step + 5 * row) % Math.max(1, limit - 1)),
  );
  const hint = `Shape (${shape.join(', ')}), ids below ${limit}; the last row ends in padding, 0.`;
  return { value, dtype: 'int32', hint };
}

function waveFor(shape: number[], padding: number): Given {
  const sequence = shape.length > 2;
  const value = fill(shape, (place) => {
    const [row = 0, step = 0] = place;
    if (sequence && isPadding(shape, row, step)) return padding;
    const angle = place.reduce((sum, index, axis) => sum + index * (axis + 1), 1);
    return Math.round(1000 * Math.sin(angle)) / 1000;
  });
  const end = sequence ? `; the last row ends in steps of ${padding}` : '';
  return { value, dtype: 'float32', hint: `Shape (${shape.join(', ')}), numbers${end}.` };
}

const isPadding = ([batch = 1, length = 1]: number[], row: number, step: number): boolean =>
  batch > 1 && length > paddingSteps && row === batch - 1 && step >= length - paddingSteps;

function fill(shape: number[], value: (place: number[]) => number, place: number[] = []): Nested {
  const size = shape[place.length];
  if (size === undefined) return value(place);
  return Array.from({ length: size }, (_, index) => fill(shape, value, [...place, index]));
}

/** All layers in a configuration, those inside of layers included. */
function configsOf(value: unknown): Config[] {
  if (typeof value === 'string') return configsOf(JSON.parse(value));
  if (typeof value !== 'object' || value === null) return [];
  const own = 'class_name' in value ? [value as Config] : [];
  return [
    ...own,
    ...Object.values(value).flatMap((each) => (typeof each === 'object' ? configsOf(each) : [])),
  ];
}

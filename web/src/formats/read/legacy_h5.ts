// SPDX-License-Identifier: MIT
// The `.h5` of Keras 1 and 2, which Keras 3 writes too: the configuration in an attribute, weights in a group a layer.
import { FormatError } from '../../base/errors.js';
import type { Artifact, LayerWeights, NamedArray, ReadOptions, StoredLayer } from '../artifact.js';
import type { Budget } from '../open/budget.js';
import { toKeras3 } from '../dialects/to_keras3.js';
import type { Hdf5Dataset, Hdf5Group } from '../hdf5/open_hdf5.js';
import type { AttributeValue } from '../hdf5/attributes.js';
import { parseJson } from './json_text.js';

/** Is this a whole model, or weights, as Keras 1 and 2 wrote them? (Otherwise perhaps a `.weights.h5` of Keras 3.) */
export function isLegacyH5(root: Hdf5Group): boolean {
  return (
    text(root, 'model_config') !== undefined ||
    root.get('model_weights') !== undefined ||
    strings(root, 'layer_names') !== undefined
  );
}

/** What a legacy file holds; `config` is null when it has weights only. FormatError where it is damaged. */
export function readLegacyH5(
  root: Hdf5Group,
  budget: Budget,
  { replaced }: ReadOptions = {},
): Artifact {
  const inside = root.get('model_weights');
  const group = inside?.kind === 'group' ? inside : root;
  const kerasVersion = text(root, 'keras_version') ?? text(group, 'keras_version') ?? '';
  const weights: LayerWeights = {
    kind: 'layers',
    level: 'top',
    layers: storedLayers(group, budget),
    backend: text(root, 'backend') ?? text(group, 'backend') ?? '',
  };
  const stored = text(root, 'model_config');
  if (stored === undefined) return { config: null, kerasVersion, weights };
  const converted = toKeras3(
    parseJson(stored, "the attribute 'model_config'", budget),
    kerasVersion,
    budget,
    replaced,
  );
  const compiled = text(root, 'training_config');
  const training =
    compiled === undefined ? null : parseJson(compiled, "the attribute 'training_config'", budget);
  const optimizer = root.get('optimizer_weights');
  return {
    ...converted,
    kerasVersion,
    weights,
    compileConfig: training,
    optimizer: optimizer?.kind === 'group' ? arraysIn(optimizer, 'optimizer', budget) : [],
  };
}

/** An attribute, or its parts `name0`, `name1`, … : attributes end at 64 kB. */
function attribute(group: Hdf5Group, name: string): AttributeValue[] {
  const whole = group.attributes.get(name);
  if (whole !== undefined) return [whole];
  const parts: AttributeValue[] = [];
  for (;;) {
    const part = group.attributes.get(`${name}${parts.length}`);
    if (part === undefined) return parts;
    parts.push(part);
  }
}

function text(group: Hdf5Group, name: string): string | undefined {
  const parts = attribute(group, name);
  const known = parts.flatMap((part) =>
    Array.isArray(part) ? part : typeof part === 'string' ? [part] : [],
  );
  return known.length > 0 && known.length >= parts.length ? known.join('') : undefined;
}

// An empty list is an empty array of numbers.
function strings(group: Hdf5Group, name: string): string[] | undefined {
  const parts = attribute(group, name);
  if (parts.length === 0) return undefined;
  return parts.flatMap((part) =>
    Array.isArray(part) ? part : typeof part === 'string' ? [part] : [],
  );
}

function storedLayers(group: Hdf5Group, budget: Budget): StoredLayer[] {
  const names = strings(group, 'layer_names') ?? group.keys();
  budget.spend('entries', names.length, 'the list of layers');
  const top = 'top_level_model_weights';
  const all = group.get(top) && !names.includes(top) ? [...names, top] : names;
  return all.map((name) => {
    const found = group.get(name);
    if (!found) {
      throw new FormatError(
        `the file lists the layer '${name}' but has no weights for it; is it cut short? It has ${group.keys().join(', ')}`,
      );
    }
    return {
      name,
      weights: found.kind === 'group' ? arraysIn(found, name, budget) : [arrayOf(found, name)],
    };
  });
}

function arraysIn(group: Hdf5Group, layer: string, budget: Budget): NamedArray[] {
  const names = strings(group, 'weight_names');
  if (!names) {
    return [...datasetsUnder(group, budget)].map((found) => arrayOf(found, found.path));
  }
  budget.spend('entries', names.length, `the weights of the layer '${layer}'`);
  return names.map((name) => {
    const found = group.get(name);
    if (found?.kind === 'dataset') return arrayOf(found, name);
    throw new FormatError(
      `the file lists the weight '${name}' of the layer '${layer}' but does not hold it; is it cut short?`,
    );
  });
}

function* datasetsUnder(group: Hdf5Group, budget: Budget, depth = 0): Generator<Hdf5Dataset> {
  budget.checkDepth(depth, 'the groups of the weights file');
  for (const name of group.keys()) {
    budget.spend('entries', 1, 'the weights file');
    const found = group.get(name);
    if (found?.kind === 'dataset') yield found;
    else if (found) yield* datasetsUnder(found, budget, depth + 1);
  }
}

const arrayOf = (found: Hdf5Dataset, name: string): NamedArray => ({
  name,
  shape: found.shape,
  dtype: found.dtype,
  read: () => found.read(),
  writer: () => found.writer(),
});

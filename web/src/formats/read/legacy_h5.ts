// SPDX-License-Identifier: MIT
// The `.h5` of Keras 1 and 2, which Keras 3 writes, too: the config is an attribute, and each layer
// has a group with its weights.
import { FormatError } from '../../base/errors.js';
import type { Artifact, LayerWeights, NamedArray, ReadOptions, StoredLayer } from '../artifact.js';
import type { Budget } from '../open/budget.js';
import { toKeras3 } from '../dialects/to_keras3.js';
import type { Hdf5Dataset, Hdf5Group } from '../hdf5/open_hdf5.js';
import type { AttributeValue } from '../hdf5/attributes.js';
import { parseJson } from '../json_text.js';

/** Returns whether the file is of this form; it may also be a `.weights.h5` of Keras 3. */
export function isLegacyH5(root: Hdf5Group): boolean {
  return (
    text(root, 'model_config') !== undefined ||
    root.get('model_weights') !== undefined ||
    strings(root, 'layer_names') !== undefined
  );
}

/**
 * Reads a model, or weights only: `config` is then null. Throws FormatError if the file is damaged.
 */
export function readLegacyH5(
  root: Hdf5Group,
  budget: Budget,
  { replaced }: ReadOptions = {},
): Artifact {
  const child = root.get('model_weights');
  const group = child?.kind === 'group' ? child : root;
  const kerasVersion = text(root, 'keras_version') ?? text(group, 'keras_version') ?? '';
  const weights: LayerWeights = {
    kind: 'layers',
    level: 'top',
    layers: storedLayers(group, budget),
    backend: text(root, 'backend') ?? text(group, 'backend') ?? '',
  };
  const config = text(root, 'model_config');
  if (config === undefined) return { config: null, kerasVersion, weights };
  const converted = toKeras3(
    parseJson(config, "the attribute 'model_config'", budget),
    kerasVersion,
    budget,
    replaced,
  );
  const training = text(root, 'training_config');
  const compileConfig =
    training === undefined ? null : parseJson(training, "the attribute 'training_config'", budget);
  const optimizer = root.get('optimizer_weights');
  return {
    ...converted,
    kerasVersion,
    weights,
    compileConfig,
    optimizer: optimizer?.kind === 'group' ? arraysIn(optimizer, 'optimizer', budget) : [],
  };
}

/** An attribute or its parts `name0`, `name1`, …: an attribute has at most 64 kB. */
function partsOf(group: Hdf5Group, name: string): AttributeValue[] {
  const attribute = group.attributes.get(name);
  if (attribute !== undefined) return [attribute];
  const parts: AttributeValue[] = [];
  for (;;) {
    const part = group.attributes.get(`${name}${parts.length}`);
    if (part === undefined) return parts;
    parts.push(part);
  }
}

/** The texts in the parts of an attribute. */
const textsIn = (parts: readonly AttributeValue[]): string[] =>
  parts.flatMap((part) => (Array.isArray(part) ? part : typeof part === 'string' ? [part] : []));

/** A text attribute; undefined if missing or not a text. */
function text(group: Hdf5Group, name: string): string | undefined {
  const parts = partsOf(group, name);
  const texts = textsIn(parts);
  return texts.length > 0 && texts.length >= parts.length ? texts.join('') : undefined;
}

/** An attribute that is a list of texts. h5py writes an empty list as an array of numbers. */
function strings(group: Hdf5Group, name: string): string[] | undefined {
  const parts = partsOf(group, name);
  return parts.length === 0 ? undefined : textsIn(parts);
}

function storedLayers(group: Hdf5Group, budget: Budget): StoredLayer[] {
  const names = strings(group, 'layer_names') ?? group.keys();
  budget.spend('entries', names.length, 'the list of layers');
  const top = 'top_level_model_weights';
  const all = group.get(top) && !names.includes(top) ? [...names, top] : names;
  return all.map((name) => {
    const child = group.get(name);
    if (!child) {
      throw new FormatError(
        `the file lists the layer '${name}' but has no group for it; it may be cut short: fetch it again. Its groups are ${group.keys().join(', ')}`,
      );
    }
    return {
      name,
      weights: child.kind === 'group' ? arraysIn(child, name, budget) : [arrayOf(child, name)],
    };
  });
}

function arraysIn(group: Hdf5Group, layer: string, budget: Budget): NamedArray[] {
  const names = strings(group, 'weight_names');
  if (!names) {
    return [...datasetsUnder(group, budget)].map((dataset) => arrayOf(dataset, dataset.path));
  }
  budget.spend('entries', names.length, `the weights of the layer '${layer}'`);
  return names.map((name) => {
    const child = group.get(name);
    if (child?.kind === 'dataset') return arrayOf(child, name);
    throw new FormatError(
      `the file lists the weight '${name}' of the layer '${layer}' but does not contain it; it may be cut short: fetch it again`,
    );
  });
}

function* datasetsUnder(group: Hdf5Group, budget: Budget, depth = 0): Generator<Hdf5Dataset> {
  budget.checkDepth(depth, 'the groups of the weights file');
  for (const name of group.keys()) {
    budget.spend('entries', 1, 'the weights file');
    const child = group.get(name);
    if (child?.kind === 'dataset') yield child;
    else if (child) yield* datasetsUnder(child, budget, depth + 1);
  }
}

const arrayOf = (dataset: Hdf5Dataset, name: string): NamedArray => ({
  name,
  shape: dataset.shape,
  dtype: dataset.dtype,
  read: () => dataset.read(),
  writer: () => dataset.writer(),
});

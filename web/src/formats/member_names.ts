// SPDX-License-Identifier: MIT
// Names that Keras gives to layers in the tree of a model, as groups of weights and folders of
// assets.
import type { SerializedObject } from './artifact.js';
import { type GraphConfig, kerasOrder } from './keras_order.js';

/** Snake-case name of the Python class: LSTM → lstm, GlobalMaxPooling1D → global_max_pooling1d. */
export function pythonName(className: string): string {
  const name = className === 'GroupQueryAttention' ? 'GroupedQueryAttention' : className;
  return name
    .replace(/\W+/g, '')
    .replace(/(.)([A-Z][a-z]+)/g, '$1_$2')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase();
}

/** Names of the layers in a list, by class and running number: dense, lstm, dense_1. */
export function memberNames(classNames: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return classNames.map((className) => {
    const base = pythonName(className);
    const count = counts.get(base) ?? 0;
    counts.set(base, count + 1);
    return count > 0 ? `${base}_${count}` : base;
  });
}

/** Path of each layer of a model's config at any depth, such as layers/sequential/layers/lstm. */
export function layerPaths(model: SerializedObject, prefix = ''): Map<SerializedObject, string> {
  const { layers } = model.config;
  const entries = (Array.isArray(layers) ? layers : []) as SerializedObject[];
  const byName = new Map(entries.map((entry) => [entry['name'], entry]));
  const ordered =
    'input_layers' in model.config
      ? kerasOrder(model.config as unknown as GraphConfig).flatMap((name) => byName.get(name) ?? [])
      : entries;
  const members = ordered.filter(({ module }) => !String(module).includes('.ops'));
  const names = memberNames(members.map(({ class_name: name }) => name));
  const paths = members.map((entry, i) => [entry, `${prefix}layers/${names[i]}`] as const);
  return new Map(
    paths.flatMap(([entry, path]) => [[entry, path] as const, ...layerPaths(entry, `${path}/`)]),
  );
}

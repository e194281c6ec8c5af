// SPDX-License-Identifier: MIT
// The weights of a layer as a tree of its sublayers.
import { addTo } from '../../base/array.js';
import type { Artifact, LayerWeights, TreeWeights } from '../artifact.js';
import { pythonName } from '../member_names.js';

/** A layer in the file, or a list of layers. */
export interface Group {
  /** Name of the attribute that holds it in Python, or, in older files, of the layer. */
  readonly key: string;
  /** Name of the layer; undefined for lists, and in files without names. */
  readonly name: string | undefined;
  /** Arrays of the layer itself, in the order of the file. */
  readonly arrays: readonly StoredArray[];
  readonly children: readonly Group[];
}

export interface StoredArray {
  /** Name of the weight, if the file has it. */
  readonly name: string | undefined;
  readonly shape: readonly number[];
}

/** Finds the groups of layers in a file. */
export class LayerGroups {
  readonly #root: MutableGroup;
  readonly #taken = new Set<MutableGroup>();
  /** Groups by the name of their layer, and those without a name by class; the first one last. */
  readonly #byName = new Map<string, MutableGroup[]>();
  readonly #byClass = new Map<string, MutableGroup[]>();

  constructor({ weights }: Artifact) {
    this.#root = newGroup('');
    if (weights?.kind === 'tree') addTree(this.#root, weights);
    else if (weights) addLayers(this.#root, weights);
    const all = [...this.#root.children.values()].flatMap(withInner);
    for (const group of all.reverse()) {
      if (group.name !== undefined) addTo(this.#byName, group.name, group);
      // A class may itself end in a number.
      else
        for (const key of new Set([group.key, classKey(group.key)]))
          addTo(this.#byClass, key, group);
    }
  }

  /** The whole model. */
  get root(): Group {
    return frozen(this.#root);
  }

  /** The group of a layer, by its name, else the next one of its class; null if there is none. */
  take(name: string, className: string): Group | null {
    const group =
      this.#nextFree(this.#byName.get(name)) ??
      this.#nextFree(this.#byClass.get(pythonName(className)));
    if (!group) return null;
    this.#taken.add(group);
    return frozen(group);
  }

  /** Removes the groups that were taken, alone or with one around them, and returns the next. */
  #nextFree(groups: MutableGroup[] | undefined): MutableGroup | undefined {
    for (let group = groups?.at(-1); group; group = groups?.at(-1)) {
      if (!this.#taken.has(group) && !isInside(group, this.#taken)) return group;
      groups?.pop();
    }
    return undefined;
  }
}

/** Name of the class that Keras numbered a group by: `dense` for `dense_2`. */
function classKey(key: string): string {
  const at = key.lastIndexOf('_');
  return at > 0 && Number.isInteger(Number(key.slice(at + 1))) ? key.slice(0, at) : key;
}

interface MutableGroup {
  readonly key: string;
  name: string | undefined;
  readonly parent: MutableGroup | null;
  readonly arrays: StoredArray[];
  readonly children: Map<string, MutableGroup>;
}

const newGroup = (key: string, parent: MutableGroup | null = null): MutableGroup => ({
  key,
  name: undefined,
  parent,
  arrays: [],
  children: new Map(),
});

const withInner = (group: MutableGroup): MutableGroup[] => [
  group,
  ...[...group.children.values()].flatMap(withInner),
];

function isInside({ parent }: MutableGroup, groups: ReadonlySet<MutableGroup>): boolean {
  for (let group = parent; group; group = group.parent) if (groups.has(group)) return true;
  return false;
}

const frozen = ({ key, name, arrays, children }: MutableGroup): Group => ({
  key,
  name,
  arrays,
  children: [...children.values()].map(frozen),
});

function groupAt(root: MutableGroup, path: string): MutableGroup {
  let group = root;
  for (const key of path.split('/').filter(Boolean)) {
    const child = group.children.get(key) ?? newGroup(key, group);
    group.children.set(key, child);
    group = child;
  }
  return group;
}

const kUnused = new Set(['optimizer', 'metrics', 'seed_generator', 'random_generator']);

/** Keras 3's weights: `layers/lstm/cell/vars/0`. Layers without weights have a name only. */
function addTree(root: MutableGroup, { arrays, names = new Map() }: TreeWeights): void {
  const isUsed = (path: string): boolean => !path.split('/').some((part) => kUnused.has(part));
  for (const [path, name] of names) if (isUsed(path)) groupAt(root, path).name = name;
  const position = (path: string): number => Number(path.slice(path.lastIndexOf('/') + 1)) || 0;
  for (const [path, { shape }] of [...arrays].sort(([a], [b]) => position(a) - position(b))) {
    const at = path.lastIndexOf('vars/');
    if (at < 0 || !isUsed(path)) continue;
    groupAt(root, path.slice(0, at)).arrays.push({ name: undefined, shape });
  }
}

/** Weights by layer: the path of a weight has the names of the layers around it. */
function addLayers(root: MutableGroup, { layers }: LayerWeights): void {
  for (const { name: layer, weights } of layers) {
    for (const { name, shape } of weights) {
      const parts = name.replace(/:\d+$/, '').split('/').filter(Boolean);
      const weight = parts.pop();
      // Names may begin with that of the model.
      const at = parts.indexOf(layer.split('/')[0] as string);
      const group = groupAt(root, (at < 0 ? [layer, ...parts] : parts.slice(at)).join('/'));
      for (let each: MutableGroup | null = group; each; each = each.parent) each.name ??= each.key;
      group.arrays.push({ name: weight, shape });
    }
  }
}

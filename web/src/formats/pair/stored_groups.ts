// SPDX-License-Identifier: MIT
// The weights file as groups of arrays, for pair_tree.ts and its helpers. Variables of optimizers
// and metrics are left out.
import { addTo } from '../../base/array.js';
import { splitNumber } from '../../base/numbered.js';
import type { NamedArray, TreeWeights } from '../artifact.js';
import { pythonName } from '../member_names.js';
import type { TreeNode } from '../tree.js';
import { sameShape } from './pairing.js';

/** A group of the file with arrays of its own: `vars/0`, `vars/1` … */
export interface StoredGroup {
  readonly path: string;
  readonly arrays: readonly NamedArray[];
}

/** The groups of a file. */
export class StoredGroups {
  readonly all: readonly StoredGroup[];
  readonly #byPath: ReadonlyMap<string, StoredGroup>;
  /** For each path of a group and of those around it, the shapes of the arrays below it. */
  readonly #shapes = new Map<string, string[]>();
  readonly #names: ReadonlyMap<string, string>;

  constructor({ arrays, names = new Map() }: TreeWeights) {
    this.all = groupsOf(arrays);
    this.#names = names;
    this.#byPath = new Map(this.all.map((group) => [group.path, group]));
    for (const group of this.all) {
      for (const path of pathsTo(group.path)) {
        for (const { shape } of group.arrays) addTo(this.#shapes, path, String(shape));
      }
    }
  }

  at(path: string): StoredGroup | undefined {
    return this.#byPath.get(path);
  }
  /** Whether a group, or one below it, has arrays. */
  has(path: string): boolean {
    return path === '' || this.#shapes.has(path);
  }
  /** The shapes of all arrays of a group and below it. */
  shapesBelow(path: string): readonly string[] {
    return this.#shapes.get(path) ?? [];
  }
  /** Name of the layer of a group, if the file has it. */
  nameOf(path: string): string | undefined {
    return this.#names.get(path);
  }
}

/** A path and the paths of the groups around it. */
function pathsTo(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}

const byNumber = new Intl.Collator('en', { numeric: true });

const kTraining = new Set(['optimizer', 'metrics', 'compile_metrics', 'loss_tracker']);
const kGenerators = new Set(['seed_generator', 'random_generator']);

/** Returns whether a group belongs to an optimizer, a metric or a random generator. */
function isUnusedByPredict(path: string): boolean {
  const parts = path.split('/');
  const bare = parts.map((part) => (part.startsWith('_') ? part.slice(1) : part));
  return (
    kTraining.has(bare[0] as string) ||
    bare.some((part) => kGenerators.has(part)) ||
    parts.some((part) => part.endsWith('_tracker') || part.endsWith('_metrics'))
  );
}

function groupsOf(arrays: TreeWeights['arrays']): StoredGroup[] {
  const groups = new Map<string, NamedArray[]>();
  for (const [path, array] of arrays) {
    const at = path.lastIndexOf('vars/');
    const group = path.slice(0, Math.max(0, at - 1));
    // Text layers read their weights when they are created.
    if (at < 0 || path.endsWith('/idf_weights') || isUnusedByPredict(group)) continue;
    addTo(groups, group, array);
  }
  const number = ({ name }: NamedArray): number => Number(name.slice(name.lastIndexOf('/') + 1));
  return [...groups]
    .map(([path, list]) => ({ path, arrays: list.sort((a, b) => number(a) - number(b)) }))
    .sort((a, b) => byNumber.compare(a.path, b.path));
}

/** Whether the arrays of a group have the shapes of the layer's own weights. */
export const fits = ({ weights }: TreeNode, { arrays }: StoredGroup): boolean =>
  weights.length === arrays.length &&
  weights.every((weight, i) => sameShape(weight.shape, (arrays[i] as NamedArray).shape));

/** The running number of a name that Keras made up for a class: 0 for dense, 2 for dense_2. */
export function runningNumber(name: string, className: string): number | null {
  const [base, digits] = splitNumber(name, '_');
  const isMadeUp = base === pythonName(className) || base === className.toLowerCase();
  return isMadeUp ? Number(digits || '0') : null;
}

/** Whether somebody chose this name for a layer, so that it says which layer it is. */
export const isChosen = (name: string, className: string): boolean =>
  runningNumber(name, className) === null && !/_\d+$/.test(name);

/** Whether a layer, or one below it, has weights. */
export const hasWeights = (node: TreeNode): boolean => weightsBelow(node).length > 0;

/** All weights of a layer and of those below it, as their shapes. */
export function weightsBelow(node: TreeNode, seen = new Set<TreeNode>()): string[] {
  if (seen.has(node)) return [];
  seen.add(node);
  const own = node.weights.map(({ shape }) => String(shape));
  return [...own, ...node.places.flatMap((place) => weightsBelow(place.node, seen))];
}

// SPDX-License-Identifier: MIT
import type { NamedArray, TreeWeights } from '../artifact.js';
import { type Pairing, sameShape } from './pairing.js';
import { nodesOf, type TreeNode, type TreeWeight } from '../tree.js';

/** A group of the file with its own arrays: `vars/0`, `vars/1` … */
interface Stored {
  readonly path: string;
  /** The layer's name, where the file says it. */
  readonly name: string | undefined;
  readonly arrays: readonly NamedArray[];
}

const kTraining = new Set(['optimizer', 'metrics', 'compile_metrics', 'loss_tracker']);
const kGenerators = new Set(['seed_generator', 'random_generator']);

/** Is a group of the file that of an optimizer, a metric, or the state of a random generator: nothing that a prediction needs? */
function isInert(path: string): boolean {
  const parts = path.split('/');
  const bare = parts.map((part) => (part.startsWith('_') ? part.slice(1) : part));
  return (
    kTraining.has(bare[0] as string) ||
    bare.some((part) => kGenerators.has(part)) ||
    parts.some((part) => part.endsWith('_tracker') || part.endsWith('_metrics'))
  );
}

/**
 * Pairs the arrays of a Keras 3 file with a model's weights: by path, then what is left by the names of layers, then by
 * the sequence of shapes. `byName`: members of lists go by name, not by place, because both come from one file.
 */
export function pairTree(tree: TreeNode, weights: TreeWeights, byName: boolean): Pairing {
  const groups = storedGroups(weights);
  const places = [...nodesOf(tree)].filter((node) => node.weights.length > 0);
  const matches = new Map<TreeNode, Stored>();
  const used = new Set<Stored>();
  const take = (find: (node: TreeNode) => Stored | undefined): void => {
    for (const node of places) {
      const found = matches.has(node) ? undefined : find(node);
      if (!found || used.has(found)) continue;
      matches.set(node, found);
      used.add(found);
    }
  };
  const paths = pathsOf(tree, byName ? membersByName(weights) : new Map());
  const byPath = new Map(groups.map((group) => [group.path, group]));
  take((node) => firstFree(paths.get(node) ?? [], byPath, used));
  const named = namesTo(places, groups);
  take((node) => named.get(node));
  pairBySequence(places, groups, matches);
  return toPairing(places, groups, matches);
}

/** Of the groups with these paths, the one that the file has first. */
function firstFree(
  paths: readonly string[],
  groups: ReadonlyMap<string, Stored>,
  used: ReadonlySet<Stored>,
): Stored | undefined {
  const found = paths.flatMap((path) => groups.get(path) ?? []).filter((group) => !used.has(group));
  return found.sort((a, b) => inOrder(a.path, b.path))[0];
}

function storedGroups({ arrays, names }: TreeWeights): Stored[] {
  const groups = new Map<string, NamedArray[]>();
  for (const [path, array] of arrays) {
    const at = path.lastIndexOf('vars/');
    const group = path.slice(0, Math.max(0, at - 1));
    if (at < 0 || isInert(group)) continue;
    const known = groups.get(group);
    if (known) known.push(array);
    else groups.set(group, [array]);
  }
  const number = ({ name }: NamedArray): number => Number(name.slice(name.lastIndexOf('/') + 1));
  return [...groups]
    .map(([path, list]) => ({
      path,
      name: names?.get(path),
      arrays: list.sort((a, b) => number(a) - number(b)),
    }))
    .sort((a, b) => inOrder(a.path, b.path));
}

/** dense_2 before dense_10. */
function inOrder(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** Of each list in the file, such as `layers`: which member has which name. */
function membersByName({ names }: TreeWeights): Map<string, Map<string, string>> {
  const lists = new Map<string, Map<string, string>>();
  for (const [path, name] of names ?? []) {
    const list = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const members = lists.get(list) ?? new Map<string, string>();
    lists.set(list, members.set(name, path));
  }
  return lists;
}

/** All paths that versions of Keras give to each place; of members of a list, the one with their name if there is one. */
function pathsOf(
  tree: TreeNode,
  lists: ReadonlyMap<string, ReadonlyMap<string, string>>,
): Map<TreeNode, readonly string[]> {
  const all = new Map<TreeNode, readonly string[]>();
  const visit = (node: TreeNode, paths: readonly string[]): void => {
    all.set(node, paths);
    for (const child of node.children) {
      visit(
        child,
        paths.flatMap((path) =>
          child.keys.map((key) => {
            const whole = path ? `${path}/${key}` : key;
            if (!key.includes('/')) return whole;
            const list = whole.slice(0, whole.lastIndexOf('/'));
            return lists.get(list)?.get(child.info.name) ?? whole;
          }),
        ),
      );
    }
  };
  visit(tree, ['']);
  return all;
}

/** Places and groups whose chain of layer names, from the root on, is one and the same, and no other's. */
function namesTo(places: readonly TreeNode[], groups: readonly Stored[]): Map<TreeNode, Stored> {
  const byName = new Map<string, Stored | null>();
  for (const group of groups) {
    if (group.name === undefined) continue;
    byName.set(group.name, byName.has(group.name) ? null : group);
  }
  const found = new Map<TreeNode, Stored>();
  const seen = new Set<string>();
  for (const node of places) {
    const { name } = node.info;
    const group = byName.get(name);
    if (seen.has(name)) byName.set(name, null);
    else if (group && fits(node, group)) found.set(node, group);
    seen.add(name);
  }
  for (const node of found.keys()) if (!byName.get(node.info.name)) found.delete(node);
  return found;
}

const fits = ({ weights }: TreeNode, { arrays }: Stored): boolean =>
  weights.length === arrays.length &&
  weights.every((weight, i) => sameShape(weight.shape, (arrays[i] as NamedArray).shape));

/** What is left on both sides goes together when shape after shape is the same. */
function pairBySequence(
  places: readonly TreeNode[],
  groups: readonly Stored[],
  matches: Map<TreeNode, Stored>,
): void {
  const used = new Set(matches.values());
  const nodes = places.filter((node) => !matches.has(node));
  const left = groups.filter((group) => !used.has(group));
  const alike =
    nodes.length === left.length && nodes.every((node, i) => fits(node, left[i] as Stored));
  if (!alike) return;
  for (const [i, node] of nodes.entries()) matches.set(node, left[i] as Stored);
}

function toPairing(
  places: readonly TreeNode[],
  groups: readonly Stored[],
  matches: ReadonlyMap<TreeNode, Stored>,
): Pairing {
  const pairing: Pairing = { pairs: [], missing: [], extra: [] };
  for (const node of places) {
    const arrays = matches.get(node)?.arrays ?? [];
    node.weights.forEach((weight: TreeWeight, i) => {
      const array = arrays[i];
      if (array) pairing.pairs.push({ weight, array });
      else pairing.missing.push(weight);
    });
    pairing.extra.push(...arrays.slice(node.weights.length));
  }
  const used = new Set(matches.values());
  for (const group of groups) if (!used.has(group)) pairing.extra.push(...group.arrays);
  return pairing;
}

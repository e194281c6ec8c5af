// SPDX-License-Identifier: MIT
import { addTo } from '../../base/array.js';
import type { NamedArray, TreeWeights } from '../artifact.js';
import { type Pairing, sameShape } from './pairing.js';
import { nodesOf, type TreeNode, type TreeWeight } from '../tree.js';

/** A group of the file with arrays of its own: `vars/0`, `vars/1` … */
interface StoredGroup {
  readonly path: string;
  /** Name of the layer, if the file has it. */
  readonly name: string | undefined;
  readonly arrays: readonly NamedArray[];
}

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

/**
 * Pairs the arrays of a Keras 3 file with a model's weights: by path, then by unique layer names,
 * then by the sequence of shapes. `byName` is set if config and weights are of one file: layers in
 * lists are then paired by name, not by position.
 */
export function pairTree(tree: TreeNode, weights: TreeWeights, byName: boolean): Pairing {
  const groups = storedGroups(weights);
  const nodes = [...nodesOf(tree)].filter((node) => node.weights.length > 0);
  const matches = new Map<TreeNode, StoredGroup>();
  const used = new Set<StoredGroup>();
  const match = (find: (node: TreeNode) => StoredGroup | undefined): void => {
    for (const node of nodes) {
      const group = matches.has(node) ? undefined : find(node);
      if (!group || used.has(group)) continue;
      matches.set(node, group);
      used.add(group);
    }
  };
  const paths = pathsOf(tree, byName ? membersByName(weights) : new Map());
  const byPath = new Map(groups.map((group) => [group.path, group]));
  match((node) => firstUnused(paths.get(node) ?? [], byPath, used));
  const named = pairByName(nodes, groups);
  match((node) => named.get(node));
  pairBySequence(nodes, groups, matches);
  return toPairing(nodes, groups, matches);
}

/** The first unused group of the file that has one of these paths. */
function firstUnused(
  paths: readonly string[],
  groups: ReadonlyMap<string, StoredGroup>,
  used: ReadonlySet<StoredGroup>,
): StoredGroup | undefined {
  const unused = paths
    .flatMap((path) => groups.get(path) ?? [])
    .filter((group) => !used.has(group));
  return unused.sort((a, b) => compareNumerically(a.path, b.path))[0];
}

function storedGroups({ arrays, names }: TreeWeights): StoredGroup[] {
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
    .map(([path, list]) => ({
      path,
      name: names?.get(path),
      arrays: list.sort((a, b) => number(a) - number(b)),
    }))
    .sort((a, b) => compareNumerically(a.path, b.path));
}

/** Orders names with numbers: dense_2 before dense_10. */
function compareNumerically(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** For each list of the file, such as `layers`: path of each layer by its name. */
function membersByName({ names }: TreeWeights): Map<string, Map<string, string>> {
  const lists = new Map<string, Map<string, string>>();
  for (const [path, name] of names ?? []) {
    const list = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const members = lists.get(list) ?? new Map<string, string>();
    lists.set(list, members.set(name, path));
  }
  return lists;
}

/** All paths that versions of Keras use for each node. In `lists`, a layer is found by name. */
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
            const fullPath = path ? `${path}/${key}` : key;
            if (!key.includes('/')) return fullPath;
            const list = fullPath.slice(0, fullPath.lastIndexOf('/'));
            return lists.get(list)?.get(child.info.name) ?? fullPath;
          }),
        ),
      );
    }
  };
  visit(tree, ['']);
  return all;
}

/** Pairs nodes with groups whose layer name is unique on both sides and whose shapes fit. */
function pairByName(
  nodes: readonly TreeNode[],
  groups: readonly StoredGroup[],
): Map<TreeNode, StoredGroup> {
  const byName = new Map<string, StoredGroup | null>();
  for (const group of groups) {
    if (group.name === undefined) continue;
    byName.set(group.name, byName.has(group.name) ? null : group);
  }
  const matches = new Map<TreeNode, StoredGroup>();
  const seen = new Set<string>();
  for (const node of nodes) {
    const { name } = node.info;
    const group = byName.get(name);
    if (seen.has(name)) byName.set(name, null);
    else if (group && fits(node, group)) matches.set(node, group);
    seen.add(name);
  }
  for (const node of matches.keys()) if (!byName.get(node.info.name)) matches.delete(node);
  return matches;
}

const fits = ({ weights }: TreeNode, { arrays }: StoredGroup): boolean =>
  weights.length === arrays.length &&
  weights.every((weight, i) => sameShape(weight.shape, (arrays[i] as NamedArray).shape));

/** Pairs the rest of both sides in order, if all shapes agree. */
function pairBySequence(
  allNodes: readonly TreeNode[],
  groups: readonly StoredGroup[],
  matches: Map<TreeNode, StoredGroup>,
): void {
  const used = new Set(matches.values());
  const nodes = allNodes.filter((node) => !matches.has(node));
  const unused = groups.filter((group) => !used.has(group));
  const allFit =
    nodes.length === unused.length &&
    nodes.every((node, i) => fits(node, unused[i] as StoredGroup));
  if (!allFit) return;
  for (const [i, node] of nodes.entries()) matches.set(node, unused[i] as StoredGroup);
}

function toPairing(
  nodes: readonly TreeNode[],
  groups: readonly StoredGroup[],
  matches: ReadonlyMap<TreeNode, StoredGroup>,
): Pairing {
  const pairing: Pairing = { pairs: [], missing: [], extra: [] };
  for (const node of nodes) {
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

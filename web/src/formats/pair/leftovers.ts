// SPDX-License-Identifier: MIT
// Pairs layers that are not at their places in the file, as after a property was renamed. A layer
// is paired only if nothing else in the file, or in the model, has its shapes. It is a chunk of its
// own, which few files need.
import { addTo } from '../../base/array.js';
import { splitNumber } from '../../base/numbered.js';
import { nodesOf, type TreeNode } from '../tree.js';
import type { Pairing } from './pairing.js';
import { fits, isChosen, type StoredGroup, type StoredGroups } from './stored_groups.js';
import type { Walk } from './walk.js';

/** Pairs what the walk left: by chosen names, then by structures and shapes that occur once. */
export function pairLeftovers(tree: TreeNode, groups: StoredGroups, walk: Walk): void {
  const nodes = [...nodesOf(tree)].filter(({ weights }) => weights.length > 0);
  const isLeft = () => nodes.some((node) => !walk.matches.has(node));
  if (isLeft()) pairByName(nodes, groups, walk);
  if (isLeft()) pairLists(tree, groups, walk);
  if (isLeft()) pairBranches(tree, groups, walk);
  if (isLeft()) pairSingles(nodes, groups, walk);
}

const quoted = (items: readonly string[]): string => items.map((item) => `'${item}'`).join(', ');

/** Describes a model whose layers Python may have numbered in two orders. */
export function doubtIn({ doubts: [doubt] }: Walk): string | null {
  if (!doubt) return null;
  const { model, nodes, paths } = doubt;
  return `the class of '${model.info.name}' assigns its layers ${quoted(nodes.map(({ info }) => info.name))} in another order than it creates or declares them, and the file may mean either by ${quoted(paths)}; create the layers in the order of the Python class, and declare no fields for them`;
}

/** Describes layers that fit in several ways, if the rest of both sides has the same size. */
export function reasonOf(
  tree: TreeNode,
  groups: StoredGroups,
  walk: Walk,
  { missing, extra }: Pairing,
): string | null {
  if (missing.length === 0 || missing.length !== extra.length) return null;
  const ambiguity = ambiguityIn(tree, groups, walk);
  if (!ambiguity) return null;
  const inFile = quoted(ambiguity.groups.map(({ path }) => path));
  const inModel = quoted(ambiguity.nodes.map(({ path }) => path));
  return `${inFile} in the file and ${inModel} in the model have the same shapes, and no path or name tells which belong together; give the properties the names that they have in Python`;
}

/**
 * Two layers and two groups with the same shapes, of which nothing tells how they belong together;
 * null if the rest of both sides does not fit.
 */
function ambiguityIn(
  tree: TreeNode,
  groups: StoredGroups,
  walk: Walk,
): { nodes: [TreeNode, TreeNode]; groups: [StoredGroup, StoredGroup] } | null {
  const nodes = freeNodes([...nodesOf(tree)], walk).filter(({ weights }) => weights.length > 0);
  const stored = listsBy(freeGroups(groups, walk), ({ arrays }) => shapesOf(arrays));
  for (const [shapes, [a, b]] of listsBy(nodes, ({ weights }) => shapesOf(weights))) {
    const [first, second] = stored.get(shapes) ?? [];
    if (a && b && first && second) return { nodes: [a, b], groups: [first, second] };
  }
  return null;
}

const freeNodes = (nodes: readonly TreeNode[], walk: Walk): TreeNode[] =>
  nodes.filter((node) => !walk.matches.has(node));

const freeGroups = (groups: StoredGroups, walk: Walk): StoredGroup[] =>
  groups.all.filter((group) => !walk.used.has(group));

function take(walk: Walk, node: TreeNode, group: StoredGroup): void {
  walk.matches.set(node, group);
  walk.used.add(group);
  walk.paths.set(node, group.path);
}

/** Shapes of the weights of a layer, or of the arrays of a group, as text. */
const shapesOf = (items: readonly { readonly shape: readonly number[] }[]): string =>
  JSON.stringify(items.map(({ shape }) => shape));

/** Lists of the items by a key. Searching all items for each would take quadratic time. */
function listsBy<T, K>(items: readonly T[], keyOfItem: (item: T) => K): Map<K, T[]> {
  const lists = new Map<K, T[]>();
  for (const item of items) addTo(lists, keyOfItem(item), item);
  return lists;
}

/** Pairs layers and groups by a name that somebody chose, if it occurs once on both sides. */
function pairByName(nodes: readonly TreeNode[], groups: StoredGroups, walk: Walk): void {
  const inFile = listsBy(groups.all, ({ path }) => groups.nameOf(path));
  const inModel = listsBy(nodes, ({ info }) => info.name);
  for (const node of freeNodes(nodes, walk)) {
    const { name, className } = node.info;
    const [group, another] = inFile.get(name) ?? [];
    if (!group || another || !isChosen(name, className) || walk.used.has(group)) continue;
    if (fits(node, group) && inModel.get(name)?.length === 1) take(walk, node, group);
  }
}

/** Pairs the layers of a Sequential or a graph in order, if the file counts them under one name. */
function pairLists(tree: TreeNode, groups: StoredGroups, walk: Walk): void {
  for (const node of nodesOf(tree)) {
    const path = walk.paths.get(node);
    if (path === undefined || !['sequential', 'functional'].includes(node.info.kind)) continue;
    const prefix = path ? `${path}/layers/` : 'layers/';
    const inside = groups.all.filter((group) => group.path.startsWith(prefix));
    const names = [
      ...new Set(inside.map((group) => group.path.slice(prefix.length).split('/')[0])),
    ];
    const numbered = names.map((name = '') => splitNumber(name, '_'));
    const layers = node.children.filter((child) => weighted(child).length > 0);
    if (new Set(numbered.map(([base]) => base)).size > 1 || names.length !== layers.length)
      continue;
    const order = [...numbered.entries()].sort(([, [, a]], [, [, b]]) => Number(a) - Number(b));
    const pairs = layers.flatMap((layer, i) =>
      weighted(layer).map((inner) => {
        const below = inner.path.slice(layer.path.length);
        const group = groups.at(`${prefix}${names[order[i]?.[0] ?? 0]}${below}`);
        return group && fits(inner, group) ? ([inner, group] as const) : null;
      }),
    );
    if (inside.some((group) => walk.used.has(group)) || pairs.length !== inside.length) continue;
    if (pairs.every((pair) => pair !== null))
      for (const [inner, group] of pairs) take(walk, inner, group);
  }
}

/** Weights at their paths below a layer. */
type Branch = readonly { readonly path: string; readonly shapes: string }[];

const keyOf = (branch: Branch): string =>
  JSON.stringify([...branch].sort((a, b) => (a.path < b.path ? -1 : 1)));

/** Pairs layers with everything below them, if their structure and shapes occur once. */
function pairBranches(tree: TreeNode, groups: StoredGroups, walk: Walk): void {
  const stored = new Map<string, string[]>();
  const below = new Map<string, StoredGroup[]>();
  for (const group of groups.all) {
    for (const prefix of prefixesOf(group.path)) addTo(below, prefix, group);
  }
  const free = freeGroups(groups, walk);
  for (const prefix of new Set(free.flatMap(({ path }) => prefixesOf(path)))) {
    const inside = below.get(prefix) ?? [];
    if (inside.some((group) => walk.used.has(group))) continue;
    const branch = inside.map(({ path, arrays }) => ({
      path: path.slice(prefix.length),
      shapes: shapesOf(arrays),
    }));
    addTo(stored, keyOf(branch), prefix);
  }
  const inModel = new Map<string, TreeNode[]>();
  for (const node of nodesOf(tree)) {
    const inside = weighted(node);
    if (inside.length === 0 || inside.some((inner) => walk.matches.has(inner))) continue;
    const branch = inside.map((inner) => ({
      path: inner.path.slice(node.path.length),
      shapes: shapesOf(inner.weights),
    }));
    addTo(inModel, keyOf(branch), node);
  }
  for (const [key, [node, another]] of inModel) {
    const [prefix, other] = stored.get(key) ?? [];
    if (!node || another || prefix === undefined || other !== undefined) continue;
    for (const inner of weighted(node)) {
      const group = groups.at(prefix + inner.path.slice(node.path.length));
      if (group && !walk.used.has(group) && !walk.matches.has(inner)) take(walk, inner, group);
    }
  }
}

const weighted = (node: TreeNode): TreeNode[] =>
  [...nodesOf(node)].filter(({ weights }) => weights.length > 0);

function prefixesOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}

/** Pairs a layer with the only group that fits it, if the group fits no other layer. */
function pairSingles(nodes: readonly TreeNode[], groups: StoredGroups, walk: Walk): void {
  const stored = listsBy(freeGroups(groups, walk), ({ arrays }) => shapesOf(arrays));
  const free = listsBy(freeNodes(nodes, walk), ({ weights }) => shapesOf(weights));
  for (const [shapes, [node, otherNode]] of free) {
    const [group, otherGroup] = stored.get(shapes) ?? [];
    if (node && group && !otherNode && !otherGroup) take(walk, node, group);
  }
}

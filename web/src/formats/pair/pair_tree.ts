// SPDX-License-Identifier: MIT
// Pairing for files that store weights by path: `.keras` and `.weights.h5`. walk.ts follows the
// paths; leftovers.ts is fetched for the layers that it does not find.
import { append } from '../../base/array.js';
import { rememberAssignment } from '../attributes.js';
import type { TreeWeights } from '../artifact.js';
import { objectById } from '../../layers/layer_objects.js';
import type { Layer } from '../../layers/layer.js';
import { ownLoader } from '../own_saving.js';
import { nodesOf, type TreeNode, type TreeWeight } from '../tree.js';
import { rememberNames } from './attributes_of_file.js';
import type { Pairing } from './pairing.js';
import { isChosen, type StoredGroup, StoredGroups } from './stored_groups.js';
import { type Members, Walk } from './walk.js';

/**
 * Pairs the arrays of a Keras 3 file with a model's weights: by the paths of Keras, then by names
 * and shapes that are unique. `byName` is set if config and weights are of one file: layers in
 * lists are then paired by name, not by position.
 */
export async function pairTree(
  tree: TreeNode,
  weights: TreeWeights,
  byName: boolean,
): Promise<Pairing> {
  const groups = new StoredGroups(weights);
  const walk = new Walk(groups, byName ? membersByName(weights) : new Map());
  walk.visit(tree, [''], true);
  // Most files have all layers at their places, and need no more code.
  const isWhole = [...nodesOf(tree)].every((node) => walk.isFound(node));
  const leftovers = isWhole ? undefined : await import('./leftovers.js');
  const doubt = leftovers?.doubtIn(walk) ?? exchangedNames(tree, groups, walk);
  leftovers?.pairLeftovers(tree, groups, walk);
  const pairing = toPairing(tree, groups, walk);
  const reason = doubt ?? leftovers?.reasonOf(tree, groups, walk, pairing);
  if (reason) return { ...pairing, reason };
  rememberNames(tree, walk);
  for (const [node, assignment] of walk.assignments) {
    const model = objectById<Layer>(node.info.id);
    if (model) rememberAssignment(model, assignment);
  }
  return pairing;
}

/** For each list of the file, such as `layers`: path of each layer by its name. */
function membersByName({ names }: TreeWeights): Members {
  const lists = new Map<string, Map<string, string>>();
  for (const [path, name] of names ?? []) {
    const list = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const members = lists.get(list) ?? new Map<string, string>();
    lists.set(list, members.set(name, path));
  }
  return lists;
}

/** Describes two layers whose chosen names the file has at each other's places. */
function exchangedNames(tree: TreeNode, groups: StoredGroups, walk: Walk): string | null {
  const byName = new Map<string, TreeNode | null>();
  for (const node of nodesOf(tree)) {
    const { name, className } = node.info;
    if (isChosen(name, className)) byName.set(name, byName.has(name) ? null : node);
  }
  for (const [name, node] of byName) {
    const path = node && walk.numbered.has(node) ? walk.paths.get(node) : undefined;
    const stored = path === undefined ? undefined : groups.nameOf(path);
    if (!node || !stored || stored === name || !isChosen(stored, node.info.className)) continue;
    const other = byName.get(stored);
    if (!other || groups.nameOf(walk.paths.get(other) ?? '') === stored) continue;
    return `at '${path}', where the model has '${name}', the file has '${stored}', which is another layer of the model; create the layers in the order of the Python class`;
  }
  return null;
}

function toPairing(tree: TreeNode, groups: StoredGroups, walk: Walk): Pairing {
  const own: NonNullable<Pairing['own']> = [];
  const pairing: Pairing = { pairs: [], missing: [], extra: [], own };
  const used = new Set<StoredGroup>(walk.used);
  for (const node of nodesOf(tree)) {
    const misfit = walk.misfits.get(node);
    const stored = walk.matches.get(node) ?? (misfit && !used.has(misfit) ? misfit : undefined);
    if (stored) used.add(stored);
    const arrays = stored?.arrays ?? [];
    if (ownLoader(node)) {
      own.push({ node, arrays });
      continue;
    }
    node.weights.forEach((weight: TreeWeight, i) => {
      const array = arrays[i];
      if (array) pairing.pairs.push({ weight, array });
      else pairing.missing.push(weight);
    });
    append(pairing.extra, arrays.slice(node.weights.length));
  }
  for (const group of groups.all) {
    if (!used.has(group) && !isOfOptimizer(group)) append(pairing.extra, group.arrays);
  }
  return pairing;
}

/** Whether a group that no layer has is an optimizer's: it begins with the number of its steps. */
function isOfOptimizer({ arrays: [steps, rate] }: StoredGroup): boolean {
  const isScalar = ({ shape }: { shape: readonly number[] }): boolean => shape.length === 0;
  return Boolean(steps && rate && isScalar(steps) && isScalar(rate) && /^u?int/.test(steps.dtype));
}

// SPDX-License-Identifier: MIT
// Files number the layers of a subclassed model in the order in which Python assigned them. If the
// properties of a JavaScript class have another order than the creation of their layers, the file
// shows which of the two is Python's.
import type { Assignment } from '../attributes.js';
import type { TreeNode, TreePlace } from '../tree.js';
import { isChosen, runningNumber, type StoredGroups, weightsBelow } from './stored_groups.js';

/** Layers of a model that a file numbers, when both orders are possible. */
export interface Doubt {
  readonly model: TreeNode;
  readonly nodes: readonly TreeNode[];
  readonly paths: readonly string[];
}

/** A layer at a numbered path of the file. */
interface Numbered {
  readonly node: TreeNode;
  readonly path: string;
}

const orders: readonly Assignment[] = ['as properties', 'as created'];

/** Finds the order in which Python assigned the layers of a model, or what is in doubt. */
export function assignmentOf(
  model: TreeNode,
  present: readonly string[],
  groups: StoredGroups,
): Assignment | Doubt {
  const isAt = (keys: readonly string[]): string | undefined =>
    present
      .flatMap((path) => keys.map((key) => (path ? `${path}/${key}` : key)))
      .find((path) => groups.has(path));
  const doubtful = model.places.filter(({ asCreated, node }, i) => {
    if (!asCreated) return false;
    const others = model.places.filter((place, k) => place.node === node && k < i);
    return !others.some(({ keys }) => isAt(keys));
  });
  const numberedAs = (order: Assignment): Numbered[] | null => {
    const all: Numbered[] = [];
    for (const { keys, asCreated, node } of doubtful) {
      const path = isAt(order === 'as created' ? (asCreated ?? keys) : keys);
      if (path !== undefined) {
        if (!contains(weightsBelow(node), groups.shapesBelow(path))) return null;
        all.push({ node, path });
      } else if (!isElsewhere(model.places, node, isAt) && weightsBelow(node).length > 0)
        return null;
    }
    return all;
  };
  const [asProperties, asCreated] = orders.map(numberedAs);
  if (asProperties && asCreated && pathsOf(asProperties) === pathsOf(asCreated))
    return 'as properties';
  const possible = orders.filter((_, i) => [asProperties, asCreated][i]);
  const likely = orders.filter((_, i) =>
    isConsistent([asProperties, asCreated][i] ?? null, groups),
  );
  if (likely.length === 1) return likely[0] as Assignment;
  if (possible.length === 1) return possible[0] as Assignment;
  const numbered = asProperties ?? asCreated;
  if (!numbered) return 'as properties';
  return {
    model,
    nodes: numbered.map(({ node }) => node),
    paths: numbered.map(({ path }) => path),
  };
}

const pathsOf = (numbered: readonly Numbered[]): string =>
  numbered.map(({ node, path }) => `${node.info.id} ${path}`).join();

const isElsewhere = (
  places: readonly TreePlace[],
  layer: TreeNode,
  isAt: (keys: readonly string[]) => string | undefined,
): boolean =>
  places.some(({ node, asCreated, keys }) => node === layer && !asCreated && isAt(keys));

/** Whether a list has each item of another one, as often. */
function contains(all: readonly string[], some: readonly string[]): boolean {
  const rest = [...all];
  return some.every((item) => {
    const index = rest.indexOf(item);
    if (index >= 0) rest.splice(index, 1);
    return index >= 0;
  });
}

/** Whether the names of the layers agree with those in the file. */
function isConsistent(numbered: readonly Numbered[] | null, groups: StoredGroups): boolean {
  return (
    numbered?.every((a, i) => numbered.slice(i + 1).every((b) => agree(a, b, groups))) ?? false
  );
}

/** Whether two layers of a class were created in the order that their names in the file tell. */
function agree(a: Numbered, b: Numbered, groups: StoredGroups): boolean {
  const { className } = a.node.info;
  const [first = '', second = ''] = [groups.nameOf(a.path), groups.nameOf(b.path)];
  const isExchanged = isChosen(first, className) && first === b.node.info.name;
  if (isExchanged || (isChosen(second, className) && second === a.node.info.name)) return false;
  if (className !== b.node.info.className) return true;
  const [x, y] = [runningNumber(first, className), runningNumber(second, className)];
  return x === null || y === null || x < y === a.node.info.id < b.node.info.id;
}

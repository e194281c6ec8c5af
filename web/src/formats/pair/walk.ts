// SPDX-License-Identifier: MIT
// Finds the groups of weights as Keras 3 does: it visits the places of all layers, in its order,
// and tries a layer at each of its places until a group there has its weights.
import type { Assignment } from '../attributes.js';
import { ownLoader } from '../own_saving.js';
import type { TreeNode, TreePlace } from '../tree.js';
import { assignmentOf, type Doubt } from './assignment.js';
import { fits, hasWeights, type StoredGroup, type StoredGroups } from './stored_groups.js';

/** For each list of the file, such as `layers`: the path of each layer by its name. */
export type Members = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** One visit of the layers of a tree. */
export class Walk {
  readonly matches = new Map<TreeNode, StoredGroup>();
  readonly used = new Set<StoredGroup>();
  /** For each layer that was found: its path in the file. */
  readonly paths = new Map<TreeNode, string>();
  /** Layers whose paths have numbers of a list. */
  readonly numbered = new Set<TreeNode>();
  /** Groups at the places of layers, with other shapes than theirs. */
  readonly misfits = new Map<TreeNode, StoredGroup>();
  readonly assignments = new Map<TreeNode, Assignment>();
  readonly doubts: Doubt[] = [];
  readonly #complete = new Set<TreeNode>();
  readonly #current = new Set<TreeNode>();
  readonly #groups: StoredGroups;
  readonly #members: Members;

  /** `members` is empty unless config and weights are of one file. */
  constructor(groups: StoredGroups, members: Members) {
    this.#groups = groups;
    this.#members = members;
  }

  /**
   * Visits a layer at these paths, of which the file has some or none. `isFromConfig`: the names of
   * the layers around it are those of the file.
   */
  visit(node: TreeNode, paths: readonly string[], isFromConfig: boolean): void {
    if (this.#complete.has(node) || this.#current.has(node)) return;
    const present = paths.filter((path) => this.#groups.has(path));
    const [first] = present;
    if (first === undefined) return;
    this.#current.add(node);
    this.#takeGroup(node, present);
    if (!this.paths.has(node)) this.paths.set(node, first);
    const isNamed = isFromConfig && node.info.kind !== 'js';
    const assignment = this.#assignment(node, present);
    for (const place of node.places) {
      if (place.keys[0]?.includes('/')) this.numbered.add(place.node);
      this.visit(place.node, this.#pathsOf(place, present, assignment, isNamed), isNamed);
    }
    this.#current.delete(node);
    if (this.#isComplete(node)) this.#complete.add(node);
  }

  /** Whether the weights of a layer are at a place that leaves no doubt. */
  isFound(node: TreeNode): boolean {
    const isPaired = this.#hasNoGroup(node) || this.matches.has(node);
    return isPaired && this.doubts.length === 0;
  }

  /** Whether a layer needs no arrays. One that loads its own may have any. */
  #hasNoGroup(node: TreeNode): boolean {
    return node.weights.length === 0 && !ownLoader(node);
  }

  #isComplete(node: TreeNode): boolean {
    return (
      (this.#hasNoGroup(node) || this.matches.has(node)) &&
      node.places.every((place) => this.#complete.has(place.node) || !hasWeights(place.node))
    );
  }

  #takeGroup(node: TreeNode, paths: readonly string[]): void {
    if (this.#hasNoGroup(node) || this.matches.has(node)) return;
    const groups = paths.flatMap((path) => this.#groups.at(path) ?? []);
    const free = groups.filter((group) => !this.used.has(group));
    const match = ownLoader(node) ? free[0] : free.find((group) => fits(node, group));
    if (match) {
      this.matches.set(node, match);
      this.used.add(match);
      this.paths.set(node, match.path);
    } else if (free[0] && !this.misfits.has(node)) this.misfits.set(node, free[0]);
  }

  #assignment(node: TreeNode, present: readonly string[]): Assignment {
    if (!node.places.some(({ asCreated }) => asCreated)) return 'as properties';
    const known = this.assignments.get(node);
    if (known) return known;
    const decision = assignmentOf(node, present, this.#groups);
    if (typeof decision !== 'string') this.doubts.push(decision);
    else this.assignments.set(node, decision);
    return typeof decision === 'string' ? decision : 'as properties';
  }

  #pathsOf(
    { keys, asCreated, node }: TreePlace,
    present: readonly string[],
    assignment: Assignment,
    isNamed: boolean,
  ): string[] {
    const names = assignment === 'as created' ? (asCreated ?? keys) : keys;
    return present.flatMap((path) =>
      names.map((key) => {
        const whole = path ? `${path}/${key}` : key;
        if (!isNamed || !key.includes('/')) return whole;
        const list = whole.slice(0, whole.lastIndexOf('/'));
        return this.#members.get(list)?.get(node.info.name) ?? whole;
      }),
    );
  }
}

// SPDX-License-Identifier: MIT
// The search for weights in a checkpoint, which may contain optimizers, epochs and several models
// beside them.
import { show } from '../../base/check.js';
import { ConfigError, FormatError } from '../../base/errors.js';
import { nearestOf } from '../../base/nearest.js';
import { visible } from '../../base/visible.js';
import type { Budget } from '../open/budget.js';
import { member, PythonObject } from '../pickle/python_values.js';
import { isFloat, isTensor, type StoredTensor } from './stored.js';

/** A state dict or a module in a checkpoint, and where it is: 'ema.state_dict'; '' is the root. */
export interface Candidate {
  readonly path: string;
  readonly value: Map<unknown, unknown> | PythonObject;
}

/** Returns whether the value is an object of a class that extends `nn.Module`. */
export const isModule = (value: unknown): value is PythonObject =>
  value instanceof PythonObject &&
  ['_parameters', '_modules'].every((key) => value.attributes.get(key) instanceof Map);

/** Whether a dictionary has tensors under the path of a module, and one that can be a weight. */
function tensorsIn(map: ReadonlyMap<unknown, unknown>): { hasPath: boolean; hasWeight: boolean } {
  let hasPath = false;
  let hasWeight = false;
  for (const [key, value] of map) {
    if (typeof key !== 'string' || !isTensor(value)) continue;
    hasPath ||= key.includes('.');
    hasWeight ||= value.shape.length > 0 && (isFloat(value) || value.problem !== undefined);
  }
  return { hasPath, hasWeight };
}

/** Finds state dicts and modules. Those of optimizers are left out. */
class Search {
  readonly found: Candidate[] = [];
  readonly #visited = new Set<unknown>();

  constructor(readonly budget: Budget) {}

  visit(value: unknown, path: string, depth: number): void {
    if (typeof value !== 'object' || value === null || isTensor(value)) return;
    if (this.#visited.has(value)) return;
    this.#visited.add(value);
    this.budget.checkDepth(depth, 'the values of the pickle');
    if (isModule(value)) {
      this.found.push({ path, value });
    } else if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) this.#enter(item, path, i, depth);
    } else if (value instanceof Map) {
      this.#visitMap(value, path, depth);
    } else if (value instanceof PythonObject) {
      this.#visitItems(value.attributes, path, depth);
    }
  }

  #enter(value: unknown, path: string, key: unknown, depth: number): void {
    if (typeof key !== 'string' && typeof key !== 'number') return;
    this.visit(value, path === '' ? `${key}` : `${path}.${key}`, depth + 1);
  }

  #visitItems(map: ReadonlyMap<unknown, unknown>, path: string, depth: number): void {
    // The state of an optimizer has tensors, too.
    if (map.has('param_groups')) return;
    for (const [key, item] of map) this.#enter(item, path, key, depth);
  }

  #visitMap(map: Map<unknown, unknown>, path: string, depth: number): void {
    const { hasPath, hasWeight } = tensorsIn(map);
    if (hasWeight && hasPath) {
      this.found.push({ path, value: map });
      return;
    }
    // Names such as 'weight' may be those of a single module, or of values beside a state dict.
    const before = this.found.length;
    this.#visitItems(map, path, depth);
    if (hasWeight && this.found.length === before && !map.has('param_groups')) {
      this.found.push({ path, value: map });
    }
  }
}

/** Returns all state dicts and modules of a file. */
export function candidatesIn(root: unknown, budget: Budget): readonly Candidate[] {
  const search = new Search(budget);
  search.visit(root, '', 0);
  return search.found;
}

/**
 * Returns the only state dict or module of a file, or the one at `inside`. Throws FormatError if
 * the file has none, ConfigError if it has several, or none at `inside`.
 */
export function chooseCandidate(
  root: unknown,
  inside: string | undefined,
  budget: Budget,
): Candidate {
  const found = candidatesIn(root, budget);
  if (found.length === 0) {
    const what = isTensor(root) ? 'a single tensor' : 'no state dict and no module';
    throw new FormatError(
      `the file has ${what}; save the weights with torch.save(model.state_dict(), path)`,
    );
  }
  const chosen =
    inside === undefined
      ? found
      : (exactly(found, inside) ?? found.filter(({ path }) => path.startsWith(`${inside}.`)));
  const [only, second] = chosen;
  if (only && !second) return only;
  const paths = (chosen.length > 0 ? chosen : found).map(({ path }) => path);
  const list = visible(paths.map((path) => `'${path}'`).join(', '));
  if (only) {
    throw new ConfigError(
      `the file has ${chosen.length} state dicts or modules: ${list}; choose one: readTorch(source, { inside: ${show(paths[0])} })`,
    );
  }
  const hint = nearestOf(inside as string, paths);
  throw new ConfigError(
    `the file has no state dict or module ${show(inside)}${hint}; it has ${list}`,
  );
}

function exactly(found: readonly Candidate[], inside: string): Candidate[] | undefined {
  const match = found.find(({ path }) => path === inside);
  return match && [match];
}

/** A tree of modules: the class and the attributes of each by its path. */
export type Records = ReadonlyMap<string, PythonObject>;

/** Returns the tensors of a state dict or module by name, in order, and the pickled modules. */
export function tensorsOf(
  { value }: Candidate,
  budget: Budget,
): { tensors: Map<string, StoredTensor>; records: Records } {
  const tensors = new Map<string, StoredTensor>();
  const records = new Map<string, PythonObject>();
  const visit = (module: PythonObject, path: string, depth: number): void => {
    budget.checkDepth(depth, 'the modules of the file');
    budget.spend('entries', 1, 'the modules of the file');
    records.set(path, module);
    const transient = member(module, '_non_persistent_buffers_set');
    const skipped = new Set(Array.isArray(transient) ? transient : []);
    const named = (key: unknown): string => (path === '' ? `${key}` : `${path}.${key}`);
    for (const group of ['_parameters', '_buffers']) {
      for (const [key, tensor] of mapIn(module, group)) {
        if (isTensor(tensor) && !skipped.has(key)) tensors.set(named(key), tensor);
      }
    }
    for (const [key, inner] of mapIn(module, '_modules')) {
      if (isModule(inner)) visit(inner, named(key), depth + 1);
    }
  };
  if (value instanceof PythonObject) visit(value, '', 0);
  else {
    for (const [key, tensor] of value) {
      if (typeof key === 'string' && isTensor(tensor)) tensors.set(key, tensor);
    }
  }
  return { tensors, records };
}

function mapIn(module: PythonObject, key: string): Iterable<[unknown, unknown]> {
  const map = module.attributes.get(key);
  return map instanceof Map ? map : [];
}

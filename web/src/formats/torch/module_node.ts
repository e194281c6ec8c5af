// SPDX-License-Identifier: MIT
// The names of tensors, `encoder.0.weight`, as a tree of modules. It ignores the prefixes that
// wrappers add.
import { elementCount } from '../../base/array.js';
import { ConfigError, FormatError } from '../../base/errors.js';
import { nearestOf } from '../../base/nearest.js';
import { show } from '../../base/check.js';
import { visible } from '../../base/visible.js';
import type { Budget } from '../open/budget.js';
import type { Records } from './candidates.js';
import type { PythonObject } from '../pickle/python_values.js';
import { floatsOf, type StoredTensor } from './stored.js';

/** Prefixes of wrappers: DataParallel, Lightning and others, torch.compile. */
const wrappers = ['module', 'model', '_orig_mod'];

/** A module of the file: its tensors, and the modules inside. */
export class ModuleNode {
  /** Tensors by the last part of their name. */
  readonly tensors = new Map<string, StoredTensor>();
  readonly children = new Map<string, ModuleNode>();
  /** Stored tensors in whose place `tensors` has a computed one, by their name in the module. */
  readonly replaced = new Map<string, StoredTensor>();
  readonly #computed = new Set<string>();

  constructor(
    /** Path as stored; '' is the root. */
    readonly path: string,
    /** The pickled module, if the file has more than a state dict. */
    readonly record: PythonObject | undefined,
  ) {}

  /** The node at a relative path, exactly. */
  at(path: string): ModuleNode | undefined {
    let node: ModuleNode | undefined = this;
    for (const part of path === '' ? [] : path.split('.')) node = node?.children.get(part);
    return node;
  }

  /** Adds a tensor that is computed from stored ones; of these, `names` are in this module. */
  addComputed(name: string, tensor: StoredTensor, names: readonly string[]): void {
    for (const each of names) {
      this.replaced.set(each, this.tensors.get(each) as StoredTensor);
      this.tensors.delete(each);
    }
    this.tensors.set(name, tensor);
    this.#computed.add(name);
  }

  /** Names of the tensors as stored, without the path. */
  get storedNames(): string[] {
    const own = [...this.tensors.keys()].filter((name) => !this.#computed.has(name));
    return [...own, ...this.replaced.keys()];
  }

  shapeOf(name: string): readonly number[] | undefined {
    return this.tensors.get(name)?.shape;
  }

  /** Name of a tensor as stored. */
  nameOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  /** The numbers of a tensor. Throws FormatError unless it has this shape and elements. */
  floats(name: string, shape: readonly number[]): Float32Array {
    const tensor = this.tensors.get(name);
    if (tensor && String(tensor.shape) === String(shape)) {
      if (elementCount(shape) > 0) return floatsOf(tensor, this.nameOf(name));
      throw new FormatError(`'${this.nameOf(name)}' of the file is empty: its shape is [${shape}]`);
    }
    const found = tensor ? `has the shape [${tensor.shape}]` : 'is missing';
    throw new FormatError(`'${this.nameOf(name)}' of the file ${found}; it must be [${shape}]`);
  }
}

/** Builds the tree of modules from the names of tensors. */
export function moduleTree(
  tensors: ReadonlyMap<string, StoredTensor>,
  records: Records,
  budget: Budget,
): ModuleNode {
  const root = new ModuleNode('', records.get(''));
  for (const [name, tensor] of tensors) {
    const parts = name.split('.');
    // Modules of PyTorch have names, so this is not a path.
    if (parts.includes('')) {
      root.tensors.set(name, tensor);
      continue;
    }
    budget.checkDepth(parts.length, 'the names of the file');
    const last = parts.pop() as string;
    let node = root;
    for (const part of parts) {
      const path = node.nameOf(part);
      const child = node.children.get(part) ?? new ModuleNode(path, records.get(path));
      node.children.set(part, child);
      node = child;
    }
    node.tensors.set(last, tensor);
  }
  return root;
}

/**
 * The nodes behind prefixes: the root, and the nodes below it in chains such as `module.model`. A
 * node that has nothing but one module is a prefix, too.
 */
function unwrapped(root: ModuleNode): ModuleNode[] {
  const nodes = [root];
  for (const node of nodes) {
    const isPrefix = node.tensors.size === 0 && node.children.size === 1;
    for (const [name, inner] of node.children) {
      if (isPrefix || wrappers.includes(name)) nodes.push(inner);
    }
  }
  return nodes;
}

/** Returns all modules at a path, as stored or without the prefixes of wrappers. */
export function nodesAt(root: ModuleNode, path: string): ModuleNode[] {
  const exact = root.at(path);
  if (exact && path !== '') return [exact];
  return unwrapped(root).flatMap((node) => node.at(path) ?? []);
}

/** Returns the tensor of a name, as stored or without the prefixes of wrappers. */
export function findTensor(root: ModuleNode, name: string): [string, StoredTensor] {
  const exact = root.tensors.get(name);
  if (exact) return [name, exact];
  const computed = replacedAt(root, name);
  if (computed) return computed;
  const dot = name.lastIndexOf('.');
  const last = name.slice(dot + 1);
  for (const node of nodesAt(root, dot < 0 ? '' : name.slice(0, dot))) {
    const tensor = node.tensors.get(last);
    if (tensor) return [node.nameOf(last), tensor];
  }
  const names = [...namesIn(root)];
  throw new ConfigError(
    `the file has no tensor ${show(name)}${nearestOf(name, names)}; its names are ${listed(names)}`,
  );
}

/** Returns the stored tensor of a name in whose place a module has a computed one. */
function replacedAt(root: ModuleNode, name: string): [string, StoredTensor] | undefined {
  const parts = name.split('.');
  // The name in the module has one part, or three or four: parametrizations.weight.original0.
  for (const count of [1, 3, 4]) {
    const inner = parts.slice(-count).join('.');
    for (const node of nodesAt(root, parts.slice(0, -count).join('.'))) {
      const tensor = node.replaced.get(inner);
      if (tensor) return [node.nameOf(inner), tensor];
    }
  }
  return undefined;
}

/** Names of all tensors of a module and the modules inside. */
export function* namesIn(node: ModuleNode): Generator<string> {
  for (const name of node.storedNames) yield node.nameOf(name);
  for (const child of node.children.values()) yield* namesIn(child);
}

const kMaxListed = 30;

/** A list for a message. */
export function listed(names: readonly string[]): string {
  const rest = names.length - kMaxListed;
  const shown = names.slice(0, kMaxListed).map((name) => `'${visible(name)}'`);
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}` || 'none';
}

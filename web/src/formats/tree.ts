// SPDX-License-Identifier: MIT
import { isCurrent, native, unwrap, unwrapHandle } from '../engine/engine.js';
import { Layer } from '../layers/layer.js';
import type { NativeLayer, NativeLayerInfo, NativeWeightInfo } from '../engine/native.js';
import { lookUp, toSnake } from '../base/names.js';
import { layerById } from '../layers/registry.js';
import { type GraphConfig, kerasOrder } from './keras_order.js';

// Keras 3 writes weights by their place in the tree of Python objects: attribute names from layer to layer,
// `vars` for a layer's own weights. This file knows those names, for reading and for writing.

/** A weight, and where the core has it: `layerGetWeight(owner, index)`. */
export interface TreeWeight extends NativeWeightInfo {
  readonly owner: NativeLayer;
  readonly index: number;
}

export interface TreeNode {
  readonly info: NativeLayerInfo;
  readonly handle: NativeLayer;
  /** Where Keras 3 writes it: '' for the root, `layers/rnn/cell`. */
  readonly path: string;
  /** Its last part, first as Keras 3.15 writes it, then as other versions of Keras 3 do. */
  readonly keys: readonly string[];
  /** Its own weights, in the order of `vars/0`, `vars/1` … */
  readonly weights: readonly TreeWeight[];
  readonly children: readonly TreeNode[];
  /** The same, and between them those that were met before, at another place. */
  readonly inside: readonly TreeNode[];
}

/** Handles of the core that the tree holds; they are given back when the work with it is done. */
class Held {
  readonly #owner = native();
  readonly #handles: NativeLayer[] = [];

  take(handles: NativeLayer[]): Found[] {
    this.#handles.push(...handles);
    return handles.map((handle) => ({ handle, info: unwrap(native().layerInfo(handle)) }));
  }
  share({ handle }: Layer): Found {
    return this.take([unwrapHandle(native()._layer_share(handle))])[0] as Found;
  }
  /** (In an instance made meanwhile the numbers stand for other layers.) */
  giveBack(): void {
    if (!isCurrent(this.#owner)) return;
    for (const handle of this.#handles) native()._layer_free(handle);
  }
}

/**
 * Calls `use` with the tree of a model or layer, as Keras walks it: a layer that is used at several places counts at
 * the first.
 */
export function withLayerTree<R>(root: Layer, use: (tree: TreeNode) => R): R {
  const held = new Held();
  try {
    return use(new Walk(held).node(held.share(root), '', ['']));
  } finally {
    held.giveBack();
  }
}

/** The same for work with pauses. */
export async function whileLayerTree<R>(
  root: Layer,
  use: (tree: TreeNode) => Promise<R>,
): Promise<R> {
  const held = new Held();
  try {
    return await use(new Walk(held).node(held.share(root), '', ['']));
  } finally {
    held.giveBack();
  }
}

/** A node and all below it, in Keras's order. */
export function* nodesOf(node: TreeNode): Generator<TreeNode> {
  yield node;
  for (const child of node.children) yield* nodesOf(child);
}

class Walk {
  // Null while what is inside is being walked.
  readonly #visited = new Map<NativeLayer, TreeNode | null>();
  readonly #held: Held;
  constructor(held: Held) {
    this.#held = held;
  }

  node({ handle, info }: Found, path: string, keys: readonly string[]): TreeNode {
    this.#visited.set(info.id, null);
    const prefix = path ? `${path}/` : '';
    const children: TreeNode[] = [];
    const inside: TreeNode[] = [];
    for (const child of childrenOf(handle, info, this.#held)) {
      const before = this.#visited.get(child.info.id);
      if (before === undefined) children.push(this.node(child, prefix + child.keys[0], child.keys));
      const met = before === undefined ? children.at(-1) : before;
      if (met) inside.push(met);
    }
    const weights = ownWeights(handle, info);
    const node = { info, handle, path, keys, weights, children, inside };
    this.#visited.set(info.id, node);
    return node;
  }
}

interface Found {
  readonly handle: NativeLayer;
  readonly info: NativeLayerInfo;
}

interface Child extends Found {
  readonly keys: readonly string[];
}

function childrenOf(layer: NativeLayer, info: NativeLayerInfo, held: Held): Child[] {
  const own = info.kind === 'js' && layerById(info.id);
  if (own) return ofProperties(own, held);
  const inside = held.take(unwrap(native().layerSublayers(layer)));
  const { className } = info;
  if (info.kind === 'functional') return inContainer('layers', inKerasOrder(layer, inside));
  if (info.kind !== 'layer') return inContainer('layers', inside);
  if (className === 'StackedRNNCells') return inContainer('cells', inside);
  const names =
    lookUp(attributes, className) ?? ((_: string, i: number) => [`layer${i > 0 ? i : ''}`]);
  return inside.map((child, i) => ({ ...child, keys: names(child.info.name, i) }));
}

/** The core has its own order for layers of one depth. */
function inKerasOrder(model: NativeLayer, inside: readonly Found[]): Found[] {
  const order = kerasOrder(unwrap(native().layerGetConfig(model)) as unknown as GraphConfig);
  const places = new Map(order.map((name, place) => [name, place]));
  const place = ({ info }: Found): number => places.get(info.name) ?? -1;
  return [...inside].sort((a, b) => place(a) - place(b));
}

type Names = (child: string, index: number) => readonly string[];

const cell: Names = () => ['cell'];
const wrapped: Names = () => ['layer'];

// The projections of attention are properties of the Python class in one version and not in another.
const dense: Names = (name) => {
  const key = `${name === 'attention_output' ? 'output' : name}_dense`;
  return [key, `_${key}`];
};

const attributes: { readonly [className: string]: Names } = {
  RNN: cell,
  SimpleRNN: cell,
  LSTM: cell,
  GRU: cell,
  ConvLSTM1D: cell,
  TimeDistributed: wrapped,
  SpectralNormalization: wrapped,
  Bidirectional: (_, i) => [i === 0 ? 'forward_layer' : 'backward_layer'],
  MultiHeadAttention: (name, i) =>
    name === 'gate' ? [...dense(name, i)].reverse() : dense(name, i),
  GroupQueryAttention: (name, i) => [...dense(name, i)].reverse(),
};

/** Keras names the members of a list by class and running number. */
function inContainer(container: string, layers: readonly Found[]): Child[] {
  const counts = new Map<string, number>();
  return layers.map((layer) => {
    const base = pythonName(layer.info.className);
    const count = counts.get(base) ?? 0;
    counts.set(base, count + 1);
    return { ...layer, keys: [`${container}/${base}${count > 0 ? `_${count}` : ''}`] };
  });
}

/** LSTM → lstm, GlobalMaxPooling1D → global_max_pooling1d, of the Python class where its name differs. */
export function pythonName(className: string): string {
  const name = className === 'GroupQueryAttention' ? 'GroupedQueryAttention' : className;
  return name
    .replace(/\W+/g, '')
    .replace(/(.)([A-Z][a-z]+)/g, '$1_$2')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase();
}

/** The layers that a layer of the user's holds as properties, in Python's order of names. */
function ofProperties(layer: Layer, held: Held): Child[] {
  const children: Child[] = [];
  for (const [property, value] of Object.entries(layer).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const keys = [toSnake(property), property];
    if (value instanceof Layer) children.push({ ...held.share(value), keys });
    else if (typeof value === 'object' && value !== null) {
      const inside = layersIn(value).map((item) => held.share(item));
      children.push(...inContainer(keys[0] as string, inside));
    }
  }
  return children;
}

/** Those in an array or plain object, also nested. */
function layersIn(container: object, depth = 0): Layer[] {
  const isList = Array.isArray(container);
  if (!isList && Object.getPrototypeOf(container) !== Object.prototype) return [];
  return Object.values(container).flatMap((item) => {
    if (item instanceof Layer) return [item];
    return typeof item === 'object' && item !== null && depth < 3 ? layersIn(item, depth + 1) : [];
  });
}

/** Trainable ones first, each kind in the order in which they were made: Keras's two lists. */
function ownWeights(layer: NativeLayer, { className, name }: NativeLayerInfo): TreeWeight[] {
  const all = unwrap(native().layerWeights(layer)).map((weight, index) => ({
    ...weight,
    owner: layer,
    index,
  }));
  // Keras's wrapper keeps the kernel that it normalises as a weight of its own, too.
  if (className === 'SpectralNormalization') {
    return all.filter((weight) => weight.name === 'kernel' || weight.name === 'vector_u');
  }
  const own = all.filter((weight) => weight.path === `${name}/${weight.name}`);
  return [
    ...own.filter((weight) => weight.trainable),
    ...own.filter((weight) => !weight.trainable),
  ];
}

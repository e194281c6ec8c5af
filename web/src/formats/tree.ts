// SPDX-License-Identifier: MIT
// Keras 3 stores weights by their path in the tree of Python objects: attribute names from layer to
// layer, then `vars` for a layer's own weights. This file knows these names, for reading and for
// writing.
import { append } from '../base/array.js';
import { objectById } from '../layers/layer_objects.js';
import { isCurrent, native, unwrap, unwrapHandle } from '../engine/engine.js';
import type { Layer } from '../layers/layer.js';
import { registeredNameOf } from '../layers/registry.js';
import type { NativeLayer, NativeLayerInfo, NativeWeightInfo } from '../engine/native.js';
import { lookUp } from '../base/names.js';
import { type Place, placesOf } from './attributes.js';
import { type GraphConfig, kerasOrder } from './keras_order.js';
import { memberNames } from './member_names.js';
import type { CompletesConfig } from './text_splitting.js';

/** A weight; `layerGetWeight(owner, index)` returns its value. */
export interface TreeWeight extends NativeWeightInfo {
  readonly owner: NativeLayer;
  readonly index: number;
}

/** A layer in the tree of layers. */
export interface TreeNode {
  readonly info: NativeLayerInfo;
  readonly handle: NativeLayer;
  /** Path of its group in files of Keras 3: '' for the root, `layers/rnn/cell`. */
  readonly path: string;
  /** Last part of the path: first Keras 3.15's name, then those of other versions of Keras 3. */
  readonly keys: readonly string[];
  /** The layer's own weights, in the order of `vars/0`, `vars/1` … */
  readonly weights: readonly TreeWeight[];
  /** Sublayers that do not occur earlier in the tree. */
  readonly children: readonly TreeNode[];
  /** All places in which Keras looks for sublayers, in its order: a layer may have several. */
  readonly places: readonly TreePlace[];
  /**
   * All sublayers, including shared ones that are children of an earlier node. Those of a custom
   * layer are in the order in which it got them, as in Keras's lists of weights.
   */
  readonly sublayers: readonly TreeNode[];
}

/** A place below a node in which Keras looks for a layer. */
export interface TreePlace {
  /** Paths below the node, like `TreeNode.keys`. */
  readonly keys: readonly string[];
  /** The paths if the owner's layers are numbered as they were created. */
  readonly asCreated: readonly string[] | undefined;
  /** The property of a custom layer that has the layer, itself or in a list. */
  readonly property: string | undefined;
  readonly node: TreeNode;
}

/** Handles of the core that a tree uses; `free` frees them. */
class Handles {
  readonly #owner = native();
  readonly #handles: NativeLayer[] = [];

  add(handles: NativeLayer[]): LayerHandle[] {
    append(this.#handles, handles);
    return handles.map((handle) => ({ handle, info: unwrap(native().layerInfo(handle)) }));
  }
  share({ handle }: { readonly handle: NativeLayer }): LayerHandle {
    return this.add([unwrapHandle(native()._layer_share(handle))])[0] as LayerHandle;
  }
  /**
   * Frees all handles. Does nothing after a restart of the engine, because the same numbers then
   * belong to other layers.
   */
  free(): void {
    if (!isCurrent(this.#owner)) return;
    for (const handle of this.#handles) native()._layer_free(handle);
  }
}

/**
 * Calls `use` with the tree of a model or layer in Keras's order. A layer used in several places is
 * a child of the first one only. The tree is valid only during the call.
 */
export function withLayerTree<R>(root: Layer, use: (tree: TreeNode) => R): R {
  const handles = new Handles();
  try {
    return use(treeOf(root, handles));
  } finally {
    handles.free();
  }
}

/** Like `withLayerTree`, for an async function. */
export async function withLayerTreeAsync<R>(
  root: Layer,
  use: (tree: TreeNode) => Promise<R>,
): Promise<R> {
  const handles = new Handles();
  try {
    return await use(treeOf(root, handles));
  } finally {
    handles.free();
  }
}

function treeOf(root: Layer, handles: Handles): TreeNode {
  const { layerPaths } = root as Partial<CompletesConfig>;
  return new TreeBuilder(handles, layerPaths).node(handles.share(root), '', ['']);
}

/** Yields a node and all nodes below it, in Keras's order. */
export function* nodesOf(node: TreeNode): Generator<TreeNode> {
  yield node;
  for (const child of node.children) yield* nodesOf(child);
}

/** Creates the nodes of a tree. */
class TreeBuilder {
  // Nodes by layer; null while the sublayers of a layer are visited, so that a cycle ends.
  readonly #visited = new Map<NativeLayer, TreeNode | null>();
  readonly #handles: Handles;
  readonly #paths: ReadonlyMap<string, string> | undefined;
  /**
   * `paths` has the paths of the root's layers by name, if the file has layers that the tree lacks.
   */
  constructor(handles: Handles, paths?: ReadonlyMap<string, string>) {
    this.#handles = handles;
    this.#paths = paths;
  }

  node({ handle, info }: LayerHandle, path: string, keys: readonly string[]): TreeNode {
    this.#visited.set(info.id, null);
    const prefix = path ? `${path}/` : '';
    const all = childrenOf(handle, info, this.#handles).map((child) => {
      const known = path ? undefined : this.#paths?.get(child.info.name);
      return known ? { ...child, keys: [known] } : child;
    });
    const children: TreeNode[] = [];
    const visit = (child: Child): void => {
      if (this.#visited.has(child.info.id)) return;
      children.push(this.node(child, prefix + child.keys[0], child.keys));
    };
    // A number in doubt is used only for a layer that has no other place.
    for (const child of all) if (!child.isDoubtful) visit(child);
    for (const child of all) visit(child);
    const places = all.flatMap(({ info: { id }, keys: names, asCreated: others, property }) => {
      const node = this.#visited.get(id);
      return node ? [{ keys: names, asCreated: others, property, node }] : [];
    });
    const node: TreeNode = {
      info,
      handle,
      path,
      keys,
      weights: ownWeights(handle, info),
      children,
      places,
      sublayers: asCreated(info, [...new Set(places.map((place) => place.node))]),
    };
    this.#visited.set(info.id, node);
    return node;
  }
}

interface LayerHandle {
  readonly handle: NativeLayer;
  readonly info: NativeLayerInfo;
}

type Child = LayerHandle & Pick<Place, 'keys' | 'asCreated' | 'isDoubtful' | 'property'>;

function childrenOf(layer: NativeLayer, info: NativeLayerInfo, handles: Handles): Child[] {
  const custom = info.kind === 'js' && objectById<Layer>(info.id);
  if (custom) {
    return placesOf(custom).map((place) => ({ ...handles.share(place.layer), ...place }));
  }
  const sublayers = handles.add(unwrap(native().layerSublayers(layer)));
  const { className } = info;
  if (info.kind === 'functional') return inContainer('layers', sortAsKeras(layer, sublayers));
  if (info.kind !== 'layer') return inContainer('layers', sublayers);
  if (className === 'StackedRNNCells') return inContainer('cells', sublayers);
  const names =
    lookUp(attributes, className) ?? ((_: string, i: number) => [`layer${i > 0 ? i : ''}`]);
  return sublayers.map((child, i) => ({ ...child, keys: names(child.info.name, i) }));
}

/** Sorts layers of a Functional model as Keras does; the core orders equal depths differently. */
function sortAsKeras(model: NativeLayer, layers: readonly LayerHandle[]): LayerHandle[] {
  const order = kerasOrder(unwrap(native().layerGetConfig(model)) as unknown as GraphConfig);
  const positions = new Map(order.map((name, position) => [name, position]));
  const position = ({ info }: LayerHandle): number => positions.get(info.name) ?? -1;
  return [...layers].sort((a, b) => position(a) - position(b));
}

type Names = (child: string, index: number) => readonly string[];

const cell: Names = () => ['cell'];
const layer: Names = () => ['layer'];

// In some versions of Keras, the projections of attention are properties of the Python class.
const dense: Names = (name) => {
  const key = `${name === 'attention_output' ? 'output' : name}_dense`;
  return [key, `_${key}`];
};

/** Python attributes that hold the sublayers of a class. */
const attributes: { readonly [className: string]: Names } = {
  RNN: cell,
  SimpleRNN: cell,
  LSTM: cell,
  GRU: cell,
  ConvLSTM1D: cell,
  TimeDistributed: layer,
  SpectralNormalization: layer,
  Bidirectional: (_, i) => [i === 0 ? 'forward_layer' : 'backward_layer'],
  MultiHeadAttention: (name, i) =>
    name === 'gate' ? [...dense(name, i)].reverse() : dense(name, i),
  GroupQueryAttention: (name, i) => [...dense(name, i)].reverse(),
};

/** Keras names the layers of a list by class and running number. */
function inContainer(container: string, layers: readonly LayerHandle[]): Child[] {
  const names = memberNames(layers.map(({ info }) => pythonClassOf(info)));
  const own = memberNames(layers.map(({ info }) => info.className));
  return layers.map((layer, i) => {
    const keys = [...new Set([names[i], own[i]])].map((name) => `${container}/${name}`);
    return { ...layer, keys };
  });
}

/** Name of a layer's class in Python: of a user-defined graph, the registered one. */
function pythonClassOf({ id, kind, className }: NativeLayerInfo): string {
  const layer = kind === 'layer' ? undefined : objectById<Layer>(id);
  const registered = layer && registeredNameOf(layer);
  return registered ? registered.slice(registered.indexOf('>') + 1) : className;
}

/** Sorts the sublayers of a custom layer as it got them. */
function asCreated(
  { kind, id }: NativeLayerInfo,
  sublayers: readonly TreeNode[],
): readonly TreeNode[] {
  const custom = kind === 'js' && objectById<Layer>(id);
  if (!custom) return sublayers;
  const positions = new Map(custom.ownLayers().map((layer, i) => [layer, i]));
  const position = ({ info }: TreeNode): number =>
    positions.get(objectById<Layer>(info.id) as Layer) ?? 0;
  return [...sublayers].sort((a, b) => position(a) - position(b));
}

/**
 * The layer's own weights in Keras's order: those created as trainable first, each kind as created.
 */
function ownWeights(layer: NativeLayer, { className, name }: NativeLayerInfo): TreeWeight[] {
  const all = unwrap(native().layerWeights(layer)).map((weight, index) => ({
    ...weight,
    owner: layer,
    index,
  }));
  // In Keras, the wrapper also lists the kernel that it normalizes.
  if (className === 'SpectralNormalization') {
    return all.filter((weight) => weight.name === 'kernel' || weight.name === 'vector_u');
  }
  return all.filter((weight) => weight.path === `${name}/${weight.name}`);
}

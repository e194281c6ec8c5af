// SPDX-License-Identifier: MIT
// Reads the graph of a model from its config, which every model of Keras 3 has.
import type { TraceEntry } from '../model/trace.js';
import type { Place } from './layout.js';
import type { MaskRows } from './marks.js';
import { counted, masksOf } from './words.js';

/** A layer of a model. */
export interface DrawableLayer {
  /** Name of the layer. */
  readonly name: string;
  /** Class of the layer. */
  readonly className: string;
  /** Returns the number of the layer's weights. */
  countParams(): number;
  /** Returns the shape of the output. */
  computeOutputShape(shape: never): unknown;
}

/** A model of any entry of the package. */
export interface DrawableModel {
  /** Name of the model. */
  readonly name: string;
  /** Layers of the model. */
  readonly layers: readonly DrawableLayer[];
  /** Returns the config in Keras's form. */
  getConfig(): { readonly [key: string]: unknown };
  /** Runs the model and returns the masks. */
  traceMasks(inputs: never, options?: { maskOperations?: boolean }): TraceEntry[];
}

type Shape = readonly (number | null)[];

/** One call of a layer or of an operation, and its place. */
export interface GraphNode extends Place {
  name: string;
  /** Class of a layer, or name of an operation. */
  className: string;
  /** Class of the layer with what it contains, or the operation. */
  kind: string;
  isLayer: boolean;
  /** Shape without data; undefined if it is not known before the model runs. */
  shape?: Shape | undefined;
  /** Number of weights, or the dtype of an input. */
  note: string;
  inputs: GraphEdge[];
  /** Length of the longest path to an output. */
  depth: number;
  /** The entry of the node in the trace. */
  entry?: TraceEntry | undefined;
}

export interface GraphEdge {
  from: GraphNode;
  /** Index of the tensor among the outputs of its node. */
  tensor: number;
  /** Index of the tensor among the arguments; undefined for a mask. */
  argument?: number | undefined;
  /** The mask that the tensor has in a trace. */
  mask?: MaskRows | undefined;
}

interface LayerJson {
  class_name?: string;
  name?: string;
  config?: { [key: string]: unknown };
  inbound_nodes?: CallJson[];
}

interface CallJson {
  args: unknown[];
  kwargs: { [name: string]: unknown };
}

interface TensorJson {
  shape?: Shape;
  keras_history: [string, number, number];
}

/** Visits each item of a structure; `visit` returns undefined for items that it has read. */
const walk = (value: unknown, visit: (item: never) => unknown): unknown =>
  JSON.stringify(value, (_, item) => visit(item as never));

/** Reads a call of a layer, or of an operation if `layer` is undefined. */
function nodeOf(json: LayerJson, name: string, layer: DrawableLayer | undefined): GraphNode {
  const { layers, dtype, batch_shape } = json.config ?? {};
  const className = layer?.className ?? String(json.class_name);
  const isInput = className === 'InputLayer';
  const inside = Array.isArray(layers)
    ? layers.filter((each) => each?.class_name !== 'InputLayer').length
    : 0;
  const weights = layer?.countParams() ?? 0;
  return {
    name,
    className,
    kind:
      inside > 0
        ? `${className} of ${counted(inside, 'layer')}`
        : layer || isInput
          ? className
          : `operation ${className}`,
    isLayer: layer !== undefined,
    shape: batch_shape as Shape | undefined,
    note: weights > 0 ? counted(weights, 'weight') : isInput ? String(dtype) : '',
    inputs: [],
    depth: 0,
  } as Partial<GraphNode> as GraphNode;
}

/**
 * Leaves out operations that only compute a mask, which Keras writes into the graph: only `mask`
 * arguments lead from them to an output. Returns the other nodes in the order of their calls: Keras
 * orders calls by their distance to the end.
 */
function inOrder(nodes: readonly GraphNode[], ends: readonly GraphNode[]): GraphNode[] {
  const kept = new Set(nodes.filter(({ className }) => className === 'InputLayer').concat(ends));
  for (const { inputs } of kept) {
    for (const { from, argument } of inputs) if (argument !== undefined) kept.add(from);
  }
  const rest = nodes.filter((node) => kept.has(node)).reverse();
  for (const node of rest) node.inputs = node.inputs.filter(({ from }) => kept.has(from));
  for (let isMoving = true; isMoving; ) {
    isMoving = false;
    for (const { depth, inputs } of rest) {
      for (const { from } of inputs) {
        if (from.depth > depth) continue;
        from.depth = depth + 1;
        isMoving = true;
      }
    }
  }
  return rest.reverse().sort((a, b) => b.depth - a.depth);
}

/** Adds the edges to a call. Arguments whose name ends with `mask` are masks. */
function addEdges(node: GraphNode, call: CallJson, nodes: ReadonlyMap<string, GraphNode>): void {
  let count = 0;
  for (const [name, value] of [['', call.args], ...Object.entries(call.kwargs)] as const) {
    const isMask = /(^|_)mask$/.test(name);
    walk(value, (item: number | { class_name?: string; config: TensorJson } | null) => {
      const isTensor = item instanceof Object && item.class_name === '__keras_tensor__';
      if (isTensor) {
        const { shape, keras_history } = item.config;
        const [source, index, tensor] = keras_history;
        const from = nodes.get(`${index} ${source}`);
        if (from && tensor === 0) from.shape ??= shape;
        if (from) node.inputs.push({ from, tensor, argument: isMask ? undefined : count });
      }
      if (!isMask && (isTensor || typeof item === 'number')) count += 1;
      return isTensor ? undefined : item;
    });
  }
}

/** Adds a shape that the config does not have: that of an output, or in a chain. */
function addShape(node: GraphNode, layer: DrawableLayer | undefined): void {
  const shapes = node.inputs.flatMap(({ from, argument }) =>
    argument === undefined ? [] : [from.shape],
  );
  if (node.shape || !shapes[0] || !shapes.every(Boolean)) return;
  try {
    const shape = layer?.computeOutputShape((shapes[1] ? shapes : shapes[0]) as never);
    if (Array.isArray(shape) && !Array.isArray(shape[0])) node.shape = shape;
  } catch {
    // A layer that cannot tell its shape without data is drawn without one.
  }
}

/** Returns whether a node is `withMask` in a graph: a model that returns its input. */
const attachesMask = ({ className, name }: GraphNode): boolean =>
  className === 'Functional' && name.startsWith('with_mask');

/** Leads the edges of `withMask` around the copies to which it attaches masks. */
function leaveOutCopies(nodes: readonly GraphNode[]): void {
  for (const node of nodes.filter(attachesMask)) {
    node.kind = 'withMask';
    node.inputs = node.inputs.map((edge) => {
      const [source] = edge.from.className === 'ConvertToTensor' ? edge.from.inputs : [];
      return source && edge.argument !== undefined
        ? { ...edge, from: source.from, tensor: source.tensor }
        : edge;
    });
  }
}

/**
 * Returns the calls of a model in their order. A custom model has no graph: its nodes have no
 * edges.
 */
export function graphOf(model: DrawableModel): GraphNode[] {
  const layers = new Map(model.layers.map((layer) => [layer.name, layer]));
  const config = model.getConfig();
  const listed = config['layers'] as LayerJson[];
  const hasGraph = Array.isArray(listed) && listed.every((json) => json?.class_name);
  const all: readonly LayerJson[] = hasGraph ? listed : model.layers.map(({ name }) => ({ name }));
  const isChain = hasGraph && !all.some((json) => json.inbound_nodes);
  const byKey = new Map<string, GraphNode>();
  const calls: CallJson[] = [];
  for (const json of all) {
    const name = String(json.config?.['name'] ?? json.name);
    const inbound = json.inbound_nodes?.length ? json.inbound_nodes : [{ args: [], kwargs: {} }];
    for (const call of inbound) {
      byKey.set(`${inbound.indexOf(call)} ${name}`, nodeOf(json, name, layers.get(name)));
      calls.push(call);
    }
  }
  const nodes = [...byKey.values()];
  nodes.forEach((node, index) => {
    const from = nodes[index - 1];
    if (!isChain) addEdges(node, calls[index] as CallJson, byKey);
    else if (from) node.inputs.push({ from, tensor: 0, argument: 0 });
  });
  leaveOutCopies(nodes);
  const ends: GraphNode[] = [];
  walk(config['output_layers'], (item: unknown) => {
    const end = Array.isArray(item) && byKey.get(`${item[1]} ${item[0]}`);
    if (!end) return item;
    ends.push(end);
    return undefined;
  });
  const ordered = inOrder(nodes, ends[0] ? ends : nodes);
  for (const node of ordered) addShape(node, layers.get(node.name));
  return ordered;
}

/**
 * Gives nodes their entries, and edges their masks. A trace does not list operations that no mask
 * reaches, so an operation has an entry only if one of its inputs has a mask.
 */
export function addTrace(nodes: readonly GraphNode[], trace: readonly TraceEntry[]): void {
  const waiting = new Set(trace.filter(({ depth, role }) => depth === 0 && role !== 'computes'));
  for (const node of nodes) {
    for (const edge of node.inputs) {
      const { entry } = edge.from;
      edge.mask = entry && masksOf(entry.maskOut, entry.shapeOut)[edge.tensor];
    }
    const inputs = node.inputs.filter(({ argument }) => argument !== undefined);
    if (!node.isLayer && !inputs.some(({ mask }) => mask)) continue;
    const name = node.isLayer ? node.name : node.className;
    const own = [...waiting].filter((each) => each.layer === name && each.isLayer === node.isLayer);
    const seenBy = ({ maskIn, shapeIn }: TraceEntry) => {
      const masks = masksOf(maskIn, shapeIn);
      return inputs.map(({ argument = 0, mask }) => (argument in masks ? masks[argument] : mask));
    };
    // Calls of one layer are told apart by the masks that reach them.
    const wanted = own[1] && JSON.stringify(inputs.map(({ mask }) => mask));
    const entry = own.find((each) => wanted && JSON.stringify(seenBy(each)) === wanted) ?? own[0];
    if (!entry) continue;
    node.entry = entry;
    waiting.delete(entry);
    for (const [index, mask] of seenBy(entry).entries()) (inputs[index] as GraphEdge).mask = mask;
  }
}

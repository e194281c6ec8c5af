// SPDX-License-Identifier: MIT
// Reads the graph of a model from its config, which every model of Keras 3 has.
import type { TraceEntry } from '../model/trace.js';
import { isPlain } from '../base/check.js';

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

/** One call of a layer or of an operation. */
export interface GraphNode {
  name: string;
  className: string;
  isLayer: boolean;
  /** Shape without data; undefined if it is not known before the model runs. */
  shape?: Shape | undefined;
  parameters: number;
  /** Type of the numbers of an input. */
  dtype?: unknown;
  /** Number of layers inside. */
  inside: number;
  /** The layer, for its output shape. */
  layer?: DrawableLayer | undefined;
}

export interface GraphEdge {
  from: number;
  to: number;
  /** Index of the tensor among the outputs of the first node. */
  tensor: number;
  /** Index of the tensor among the arguments of the second node; undefined for a mask. */
  argument: number | undefined;
}

export interface ModelGraph {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

interface CallJson {
  args: unknown[];
  kwargs: { [name: string]: unknown };
}

interface LayerJson {
  class_name?: string;
  name?: string;
  config?: { [key: string]: unknown };
  inbound_nodes?: CallJson[];
}

interface TensorJson {
  shape?: Shape;
  keras_history: [string, number, number];
}

const nameOf = (json: LayerJson): string => String(json.config?.['name'] ?? json.name ?? '');

/** Returns the tensors of an argument in order; a number is undefined. */
function tensorsOf(value: unknown): (TensorJson | undefined)[] {
  if (Array.isArray(value)) return value.flatMap(tensorsOf);
  if (!isPlain(value)) return typeof value === 'number' ? [undefined] : [];
  if (value['class_name'] === '__keras_tensor__') return [value['config'] as TensorJson];
  return Object.values(value).flatMap(tensorsOf);
}

/** Returns the graph of a model. The nodes of a custom model, which has no graph, are its layers. */
export function graphOf(model: DrawableModel): ModelGraph {
  const layers = new Map(model.layers.map((layer) => [layer.name, layer]));
  const nodeOf = (json: LayerJson): GraphNode => {
    const name = nameOf(json);
    const layer = layers.get(name);
    const inside = json.config?.['layers'];
    return {
      name,
      layer,
      className: layer?.className ?? String(json.class_name),
      isLayer: layer !== undefined,
      shape: json.config?.['batch_shape'] as Shape | undefined,
      parameters: layer?.countParams() ?? 0,
      ...(json.class_name === 'InputLayer' && { dtype: json.config?.['dtype'] }),
      inside: Array.isArray(inside)
        ? inside.filter((each) => each?.class_name !== 'InputLayer').length
        : 0,
    };
  };
  const config = model.getConfig();
  const json = config['layers'];
  if (!Array.isArray(json) || !json.every((layer) => layer?.class_name)) {
    const own = ({ name, className }: DrawableLayer) => nodeOf({ name, class_name: className });
    return { nodes: model.layers.map(own), edges: [] };
  }
  const graph = json.some((layer: LayerJson) => layer.inbound_nodes)
    ? functionalGraph(json, nodeOf, config['output_layers'])
    : chainOf(json.map(nodeOf));
  addShapes(graph);
  return graph;
}

function chainOf(nodes: GraphNode[]): ModelGraph {
  const edges = nodes.slice(1).map((_, from) => ({ from, to: from + 1, tensor: 0, argument: 0 }));
  return { nodes, edges };
}

function functionalGraph(
  json: LayerJson[],
  nodeOf: (json: LayerJson) => GraphNode,
  outputs: unknown,
): ModelGraph {
  const nodes: GraphNode[] = [];
  const calls: CallJson[] = [];
  const numbers = new Map<string, number>();
  const idOf = ([name, call]: readonly unknown[]) => `${call} ${name}`;
  for (const layer of json) {
    const inbound = layer.inbound_nodes?.length ? layer.inbound_nodes : [{ args: [], kwargs: {} }];
    inbound.forEach((call, index) => {
      numbers.set(idOf([nameOf(layer), index]), nodes.length);
      nodes.push(nodeOf(layer));
      calls.push(call);
    });
  }
  const edges = calls.flatMap(({ args, kwargs }, to) => {
    const named = Object.entries(kwargs);
    const masks = named.filter(([name]) => /(^|_)mask$/.test(name)).map(([, value]) => value);
    const others = named.map(([, value]) => value).filter((value) => !masks.includes(value));
    const edgeOf = (input: TensorJson | undefined, argument?: number): GraphEdge[] => {
      const from = numbers.get(idOf(input?.keras_history ?? []));
      if (from === undefined || !input) return [];
      const tensor = input.keras_history[2];
      const source = nodes[from];
      if (source && tensor === 0) source.shape ??= input.shape;
      return [{ from, to, tensor, argument }];
    };
    return [
      ...tensorsOf([args, others]).flatMap(edgeOf),
      ...tensorsOf(masks).flatMap((input) => edgeOf(input)),
    ];
  });
  const ends = endsOf(outputs).flatMap((end) => numbers.get(idOf(end)) ?? []);
  return withoutMaskNodes({ nodes, edges }, ends);
}

/** Returns the outputs `[name, call, tensor]` in a structure of them. */
function endsOf(value: unknown): unknown[][] {
  if (Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number') {
    return [value];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(endsOf) : [];
}

/**
 * Leaves out operations that only compute a mask, which Keras writes into the graph: only `mask`
 * arguments lead from them to an output.
 */
function withoutMaskNodes({ nodes, edges }: ModelGraph, ends: number[]): ModelGraph {
  const kept = new Set(ends);
  for (const node of kept) {
    for (const { from, to, argument } of edges) {
      if (to === node && argument !== undefined) kept.add(from);
    }
  }
  for (const [index, node] of nodes.entries()) {
    if (node.className === 'InputLayer') kept.add(index);
  }
  const order = [...nodes.keys()].filter((index) => kept.has(index));
  const numbers = new Map(order.map((index, number) => [index, number]));
  return {
    nodes: order.flatMap((index) => nodes[index] ?? []),
    edges: edges.flatMap((edge) => {
      const [from, to] = [numbers.get(edge.from), numbers.get(edge.to)];
      return from === undefined || to === undefined ? [] : [{ ...edge, from, to }];
    }),
  };
}

/** Adds shapes that the config does not have: those of outputs, and those of a chain. */
function addShapes({ nodes, edges }: ModelGraph): void {
  for (const [index, node] of nodes.entries()) {
    if (node.shape || !node.layer) continue;
    const inputs = edges.filter(({ to, argument }) => to === index && argument !== undefined);
    const shapes = inputs.map(({ from, tensor }) => tensor === 0 && nodes[from]?.shape);
    if (shapes.length === 0 || !shapes.every(Boolean)) continue;
    try {
      const shape = node.layer.computeOutputShape(
        (shapes.length === 1 ? shapes[0] : shapes) as never,
      );
      if (Array.isArray(shape) && !Array.isArray(shape[0])) node.shape = shape;
    } catch {
      // A layer that cannot tell its shape without data is drawn without one.
    }
  }
}

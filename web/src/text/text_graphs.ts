// SPDX-License-Identifier: MIT
// Graphs of strings that a program makes, from `Input({ dtype: 'string' })`. text_sequential.ts
// makes those of lists; text_model.ts has the class of both.
import { native } from '../engine/engine.js';
import type { SerializedObject } from '../formats/artifact.js';
import { Layer } from '../layers/layer.js';
import { serializeLayer } from '../layers/serialization.js';
import { Prepared } from '../layers/layer_objects.js';
import type { TextGraphs } from '../layers/text_symbols.js';
import type { Model } from '../model/model.js';
import { type ModelConfig, prepare } from '../model/model_graph.js';
import { Tensor } from '../tensor/tensor.js';
import { inputLayer, namesOfEnds } from './split_model.js';
import { clonedModel, revivedModel } from './text_copies.js';
import { frontOf } from './text_front.js';
import { SymbolicText } from './symbolic_text.js';
import { checkNames, layerEntry, refuseSubclass, serialized } from './text_items.js';
import type { TextLayer } from './text_layer.js';
import { TextModel } from './text_model.js';
import type { TextInput } from './text_parts.js';
import { append, removeLast, sequential } from './text_sequential.js';

type History = readonly [string, number, number];
const symbolOf = (history: History, shape: unknown, dtype: unknown): object => ({
  class_name: '__keras_tensor__',
  config: { shape, dtype, keras_history: history },
});

/** Replaces histories, [layer, call, output], of inputs that stand for results of text layers. */
function renamed(value: unknown, results: ReadonlyMap<string, History>): unknown {
  if (Array.isArray(value)) {
    const [name, ...others] = value as unknown[];
    const isHistory = typeof name === 'string' && others.length === 2 && results.has(name);
    return isHistory ? results.get(name) : value.map((item) => renamed(item, results));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, renamed(item, results)]),
  );
}

/** Returns the config of the whole model for that of its graph. */
function wholeGraph(
  graph: SerializedObject,
  inputs: readonly (SymbolicText | string)[],
  keys: readonly string[],
  entries: ReadonlyMap<SerializedObject, TextLayer>,
): SerializedObject {
  const results = new Map<string, History>();
  const texts = inputs.filter((input) => input instanceof SymbolicText);
  const layerEntries = [...entries].map(([entry, layer]) => {
    const calls = texts.flatMap((input) =>
      input.results.filter((result) => result.layer === layer).map((result) => ({ input, result })),
    );
    const nodes = calls.map(({ input, result }, call) => {
      results.set(result.name, [layer.name, call, 0]);
      return { args: [symbolOf([input.name, 0, 0], input.shape, 'string')], kwargs: {} };
    });
    return Object.assign(entry, { name: layer.name, inbound_nodes: nodes });
  });
  const others = (graph.config['layers'] as SerializedObject[])
    .filter(({ name }) => !results.has(String(name)))
    .map((entry) => ({ ...entry, inbound_nodes: renamed(entry['inbound_nodes'], results) }));
  const inputEntries = texts.map(({ name, shape }) => ({
    ...inputLayer(name, shape, 'string'),
    name,
    inbound_nodes: [],
  }));
  const ends = inputs.map((input) => [typeof input === 'string' ? input : input.name, 0, 0]);
  const named = keys.map((key, i) => [key, ends[i]]);
  return {
    ...graph,
    config: {
      ...graph.config,
      layers: [...inputEntries, ...layerEntries, ...others],
      input_layers: keys.length > 0 ? Object.fromEntries(named) : ends.length > 1 ? ends : ends[0],
      output_layers: renamed(graph.config['output_layers'], results),
    },
  };
}

/** Returns the inputs of a model, each with its key in a dictionary. */
function endsOf(inputs: unknown): (readonly [key: string, end: unknown])[] {
  if (inputs instanceof SymbolicText || inputs instanceof Tensor) return [['', inputs]];
  return Object.entries(Object(inputs) as object);
}

function graph(config: ModelConfig | Prepared, isSubclass: boolean): TextModel | undefined {
  if (config instanceof Prepared || !config?.inputs || config.inputs instanceof Layer)
    return undefined;
  const given = config.inputs as unknown;
  const ends = endsOf(given);
  if (!ends.some(([, end]) => end instanceof SymbolicText)) return undefined;
  refuseSubclass(isSubclass);
  const flat = ends.flatMap(([, end]) =>
    end instanceof SymbolicText ? end.results.map(({ symbol }) => symbol) : [end as never],
  );
  const used = ends.flatMap(([, end]) => (end instanceof SymbolicText ? end.results : []));
  const layers = new Set(used.map(({ layer }) => layer as TextLayer));
  checkNames(layers);
  const { handle } = prepare({
    ...config,
    inputs: flat.length === 1 ? (flat[0] as never) : flat,
  }) as Prepared;
  const names = new Map<unknown, string>();
  const isDictionary = !Array.isArray(given) && !(given instanceof SymbolicText);
  const keys = isDictionary ? ends.map(([key]) => key) : [];
  try {
    const entries = new Map([...layers].map((layer) => [layerEntry(layer), layer]));
    const numbers = serialized(handle);
    const graphInputs = namesOfEnds(numbers.config['input_layers']);
    let next = 0;
    for (const [, end] of ends) {
      if (end instanceof SymbolicText) next += end.results.length;
      else names.set(end, graphInputs[next++] ?? '');
    }
    const inputs = ends.map(([, end]): TextInput => {
      if (!(end instanceof SymbolicText)) return { name: names.get(end) ?? '', chains: null };
      return {
        name: end.name,
        shape: end.shape,
        chains: end.results.map(({ layer }) => [layer as TextLayer]),
        results: end.results.map(({ name }) => name),
      };
    });
    const sources = ends.map(([, end]) =>
      end instanceof SymbolicText ? end : (names.get(end) ?? ''),
    );
    const whole = wholeGraph(numbers, sources, keys, entries);
    return new TextModel(new Prepared(handle), frontOf(whole, inputs, keys, entries));
  } catch (error) {
    native()._layer_free(handle);
    throw error;
  }
}

/** Implements the service `textGraphs`. */
export const makeTextGraphs: TextGraphs = {
  input: (options) => new SymbolicText(options),
  model: (config, isSubclass) => graph(config as ModelConfig, isSubclass),
  sequential,
  revive: revivedModel,
  whole: (model) =>
    model instanceof TextModel
      ? model.completeConfig(serializeLayer(model) as unknown as SerializedObject)
      : undefined,
  clone: (model, config) => clonedModel(model as TextModel, config as SerializedObject),
  append: (model, item) => append(model as Model, item),
  removeLast: (model) => removeLast(model as TextModel),
};

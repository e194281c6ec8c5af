// SPDX-License-Identifier: MIT
// Models of strings that a program makes: `new Sequential([vectorizer, …])`, and graphs from
// `Input({ dtype: 'string' })`. text_model.ts has their class.
import { checkOptions } from '../base/check.js';
import { ConfigError } from '../base/errors.js';
import { native, unwrap } from '../engine/engine.js';
import type { SerializedObject } from '../formats/artifact.js';
import { Layer } from '../layers/layer.js';
import { serializeLayer } from '../layers/serialization.js';
import { Prepared } from '../layers/layer_objects.js';
import type { TextGraphs } from '../layers/text_symbols.js';
import { type ModelConfig, prepare } from '../model/model_graph.js';
import { Tensor } from '../tensor/tensor.js';
import { inputFor, inputLayer, namesOfEnds } from './split_model.js';
import { clonedModel, revivedModel } from './text_copies.js';
import { frontOf } from './text_front.js';
import { SymbolicText } from './symbolic_text.js';
import { isTextLayer, type TextLayer } from './text_layer.js';
import { TextModel } from './text_model.js';
import type { TextInput } from './text_parts.js';

const isText = (value: unknown): value is TextLayer =>
  !(value instanceof Layer) &&
  isTextLayer({ class_name: String((Object(value) as TextLayer).className), config: {} });

function refuseSubclass(isSubclass: boolean): void {
  if (!isSubclass) return;
  throw new ConfigError(
    'a class that extends Model or Sequential cannot begin with strings; put the layers of maskflow/text before it: new Sequential([vectorizer, model])',
  );
}

/** Throws ConfigError if two layers have one name, which files tell them apart by. */
function checkNames(layers: Iterable<TextLayer>): void {
  const names = new Set<string>();
  for (const { name, className } of layers) {
    if (names.has(name)) {
      throw new ConfigError(
        `two layers of the model are called '${name}'; name one: new ${className}({ name: 'words' })`,
      );
    }
    names.add(name);
  }
}

const layerEntry = (layer: TextLayer): SerializedObject => ({
  module: 'keras.layers',
  class_name: layer.className,
  config: { ...layer.getConfig(), name: layer.name },
  registered_name: null,
});

/** Returns the config of a graph of numbers. */
const serialized = (handle: Prepared['handle']): SerializedObject =>
  unwrap(native().layerSerialize(handle)) as unknown as SerializedObject;

/** Creates a layer of the core and adds it to a Sequential. */
function addCreated(model: Prepared['handle'], className: string, config: object): void {
  const layer = unwrap(native().layerCreate(className, config as never));
  try {
    unwrap(native().sequentialAdd(model, layer));
  } finally {
    native()._layer_free(layer);
  }
}

/**
 * Replaces a model of texts in front by its layers of text and a model of its other layers, so that
 * the new model reads the texts.
 */
function withoutTextModel([first, ...others]: readonly unknown[]): unknown[] {
  const late = others.find((item) => item instanceof TextModel) as TextModel | undefined;
  if (late) {
    throw new ConfigError(
      `'${late.name}' reads texts, so it must be the first layer: new Sequential([model, …])`,
    );
  }
  if (!(first instanceof TextModel)) return [first, ...others];
  if (!first.chain) {
    throw new ConfigError(
      `'${first.name}' reads texts by several layers, so it cannot be in a Sequential; make a graph: const x = Input({ shape: [1], dtype: 'string' }); new Model({ inputs: x, outputs: layer.apply(model.apply(x)) })`,
    );
  }
  return [...first.chain, first, ...others];
}

function sequential(items: unknown, options: object, isSubclass: boolean): TextModel | undefined {
  const readsTexts = (item: unknown) =>
    item instanceof SymbolicText || item instanceof TextModel || isText(item);
  if (!Array.isArray(items) || !items.some(readsTexts)) return undefined;
  refuseSubclass(isSubclass);
  const { name, trainable = true } = checkOptions<{ name?: string; trainable?: boolean }>(options, {
    name: 1,
    trainable: 1,
  });
  const rest = [...withoutTextModel(items)];
  // Without an Input, texts are rows of one text.
  const input =
    rest[0] instanceof SymbolicText
      ? (rest.shift() as SymbolicText)
      : new SymbolicText({ shape: [1] });
  const chain: TextLayer[] = [];
  while (isText(rest[0])) chain.push(rest.shift() as TextLayer);
  checkNames(chain);
  const last = chain.at(-1);
  const { config } = last ? inputFor(input.name, chain, input.shape) : { config: undefined };
  if (!last || !config) {
    throw new ConfigError(
      `the layer after an Input of strings must read them: new Sequential([input, new TextVectorization(…), …])`,
    );
  }
  const handle = unwrap(native().sequentialCreate(name ? { name } : {}));
  try {
    addCreated(handle, 'InputLayer', config);
    for (const layer of rest) {
      if (!(layer instanceof Layer)) {
        throw new ConfigError(
          `'${String((Object(layer) as Layer).name)}' must be a layer; layers of maskflow/text come first`,
        );
      }
      unwrap(native().sequentialAdd(handle, layer.handle));
    }
    // A Sequential needs a layer, so that of a model of text layers alone does nothing.
    if (rest.length === 0) addCreated(handle, 'Identity', { name: last.name });
    const entries = new Map<unknown, TextLayer>(chain.map((layer) => [layerEntry(layer), layer]));
    const numbers = serialized(handle);
    const [, ...layers] = numbers.config['layers'] as SerializedObject[];
    const own = rest.length === 0 ? [] : layers;
    const all = [inputLayer(input.name, input.shape, 'string'), ...entries.keys(), ...own];
    const whole = { ...numbers, config: { ...numbers.config, layers: all } };
    const front: TextInput = {
      name: input.name,
      chains: [chain],
      shape: input.shape,
      results: [input.name],
    };
    const model = new TextModel(new Prepared(handle), frontOf(whole, [front], [], entries));
    if (!trainable) model.trainable = false;
    return model;
  } catch (error) {
    native()._layer_free(handle);
    throw error;
  }
}

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
  refuseItem(item) {
    if (item instanceof TextModel) {
      throw new ConfigError(
        `'${item.name}' reads texts, so it cannot be added to a model; pass all layers at once: new Sequential([model, …])`,
      );
    }
    if (!isText(item) && !(item instanceof SymbolicText)) return;
    throw new ConfigError(
      `'${item.name}' cannot be added to a model; pass all layers at once: new Sequential([vectorizer, …])`,
    );
  },
};

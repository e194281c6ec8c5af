// SPDX-License-Identifier: MIT
// Separates the layers that read strings from the rest of a model, because the core does not
// support strings. Their results become inputs of the remaining graph.
import { elementCount } from '../base/array.js';
import { isRecord } from '../base/json.js';
import type { SerializedObject } from '../formats/artifact.js';
import { UnsupportedError } from '../base/errors.js';
import { Tensor } from '../tensor/tensor.js';
import type { Maker } from '../layers/registry.js';
import { layerPaths } from '../formats/member_names.js';
import type { SplitModel, VocabularyFiles } from '../formats/text_splitting.js';
import { type Entry, isInput, isTextInput, layersOf, nameOf } from './entries.js';
import { HashedCrossing } from './hashed_crossing.js';
import { Hashing } from './hashing.js';
import { IntegerLookup } from './integer_lookup.js';
import { numberLayer } from './number_layer.js';
import { resultName } from './symbolic_text.js';
import { type Chain, frontOf, type Layers, withVocabulary } from './text_front.js';
import { isTextLayer, type TextLayer, textLayer } from './text_layer.js';
import { TextModel } from './text_model.js';
import { applyChain } from './text_reader.js';
import type { TextInput } from './text_parts.js';

/** Returns whether an object of the user is a layer of this entry. */
const isLayer = (value: unknown): value is TextLayer =>
  typeof value === 'object' &&
  value !== null &&
  isTextLayer({ class_name: String((value as TextLayer).className), config: {} });

/** Returns whether the entry has the expected structure. If not, the core reports the error. */
export function isSound(entry: unknown): boolean {
  if (!isRecord(entry) || !isRecord(entry['config'])) return false;
  const { class_name: name, inbound_nodes: calls = [] } = entry;
  const { layers = [] } = entry['config'];
  return (
    typeof name === 'string' &&
    Array.isArray(layers) &&
    // Array.from, because `every` skips holes, which a parsed object may have.
    Array.from(layers).every(isSound) &&
    Array.isArray(calls) &&
    Array.from(calls).every(
      (call) => isRecord(call) && Array.isArray(call['args']) && hasHistories(call),
    )
  );
}

function hasHistories(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const { class_name: name, config } = value as { class_name?: unknown; config?: unknown };
  if (name !== '__keras_tensor__') return Object.values(value).every(hasHistories);
  return isRecord(config) && Array.isArray(config['keras_history']);
}

/** Creates all layers that map text or categories, at any depth, in the file's order. */
export function createLayers(
  config: SerializedObject,
  make: (entry: Entry, index: number) => TextLayer,
): Map<unknown, TextLayer> {
  const layers = new Map<unknown, TextLayer>();
  const counts = new Map<string, number>();
  const visit = (entry: Entry): void => {
    if (isTextLayer(entry)) {
      const index = counts.get(entry.class_name) ?? 0;
      counts.set(entry.class_name, index + 1);
      layers.set(entry, make(entry, index));
    }
    for (const inside of layersOf(entry)) visit(inside);
  };
  visit(config as Entry);
  return layers;
}

/** Returns whether a layer is always part of the graph: it reads numbers, or several tensors. */
const isOfGraph = (layer: TextLayer): boolean =>
  layer instanceof IntegerLookup || layer instanceof HashedCrossing;

/** Returns whether a layer may be part of the graph. */
const mapsNumbers = (layer: TextLayer): boolean => isOfGraph(layer) || layer instanceof Hashing;

// Chains of layers of nested models, by the entry that stands for them in the graph outside.
const movedChains = new WeakMap<Entry, Chain>();

/** Returns the layers of an entry that may read strings: a layer, or a chain of such layers. */
function chainOf(entry: Entry, textLayers: Layers): Chain | null {
  const moved = movedChains.get(entry);
  if (moved) return moved;
  const layer = textLayers.get(entry);
  if (layer) return isOfGraph(layer) ? null : [layer];
  const inside = layersOf(entry).filter((part) => !isInput(part));
  if (inside.length === 0 || layersOf(entry).filter(isInput).length > 1) return null;
  const chains = inside.map((part) => chainOf(part, textLayers));
  return chains.every((chain) => chain !== null) ? chains.flat() : null;
}

/** Creates the InputLayer that stands for the result of a chain, with its shape and dtype. */
export function inputFor(name: string, chain: Chain, batchShape: unknown): Entry {
  const shape = Array.isArray(batchShape) ? (batchShape as (number | null)[]) : [null];
  const texts = elementCount(shape.slice(1).map((dim) => dim ?? 4));
  if (!(texts <= kMaxTexts)) {
    throw new UnsupportedError(
      `'${name}' reads ${texts} texts per row, but the limit is ${kMaxTexts}`,
    );
  }
  // Runs the chain with this size in place of unknown dimensions.
  const sample = (size: number): Tensor => {
    const text = Array(size).fill('a').join(' ');
    const fill = (i: number): unknown =>
      i === shape.length
        ? text
        : Array.from({ length: (i > 0 && shape[i]) || (i > 0 ? size : 2) }, () => fill(i + 1));
    return applyChain(chain, fill(0));
  };
  const [few, more] = [sample(3), sample(4)];
  if (!(few instanceof Tensor) || !(more instanceof Tensor)) {
    throw new UnsupportedError(
      `'${name}' returns ragged rows or strings, which other layers do not support`,
    );
  }
  const { dtype } = few;
  const dims = few.shape.map((dim, i) => (i > 0 && dim === more.shape[i] ? dim : null));
  few.dispose();
  more.dispose();
  return inputLayer(name, dims, dtype);
}

/** Returns the entry of an InputLayer in a config. */
export const inputLayer = (
  name: string,
  shape: readonly (number | null)[],
  dtype: string,
): Entry => ({
  module: 'keras.layers',
  class_name: 'InputLayer',
  config: { batch_shape: shape, dtype, sparse: false, ragged: false, name },
  registered_name: null,
});

// Limit on texts per row; usually a row has one text.
const kMaxTexts = 1000;

const identity = (name: string): Entry => ({
  module: 'keras.layers',
  class_name: 'Identity',
  config: { name },
  registered_name: null,
});

interface Split {
  layers: Entry[];
  inputs: TextInput[];
  /** Inputs of a graph as Keras histories: [layer, call, output]. */
  ends?: unknown[];
  /** Outputs of a graph, in the structure of the config. */
  outputs?: unknown;
}

function splitSequential(config: SerializedObject, textLayers: Layers): Split {
  const [head, ...others] = layersOf(config);
  if (!head) return { layers: [], inputs: [] };
  const input = isInput(head) ? head : undefined;
  const rest = input ? others : [head, ...others];
  const chain: TextLayer[] = [];
  // Hashing maps numbers, too: then it is part of the graph.
  const readsText = !input || isTextInput(input);
  while (readsText && rest[0] && chainOf(rest[0], textLayers)) {
    chain.push(...(chainOf(rest.shift() as Entry, textLayers) ?? []));
  }
  const name = input ? nameOf(input) : 'input';
  const nested = readsText && rest[0] ? splitNested(rest[0], textLayers) : null;
  if (nested) {
    chain.push(...onlyChain(nested, nameOf(rest[0] as Entry)));
    rest[0] = nested.entry;
  }
  if (chain.length === 0) return { layers: layersOf(config), inputs: [{ name, chains: null }] };
  const shape = input?.config['batch_shape'] ?? config.config['build_input_shape'];
  const result = inputFor(name, chain, shape);
  // A Sequential needs a layer, so that of a model of text layers alone does nothing.
  const layers = rest.length > 0 ? rest : [identity((chain.at(-1) as TextLayer).name)];
  const front = { name, chains: [chain], shape, results: [name] };
  return { layers: [result, ...layers], inputs: [front] };
}

type History = [string, number, number];

const historyOf = (value: unknown): History | null => {
  const { class_name: name, config } = Object(value) as { class_name?: unknown; config?: unknown };
  return name === '__keras_tensor__' ? (config as { keras_history: History }).keras_history : null;
};

/** Returns the names of inputs in a nested structure. */
export const namesOfEnds = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value) && typeof value[0] === 'string') return [value[0]];
  return Object.values(value).flatMap(namesOfEnds);
};

/** The results of text layers in a graph, by layer and call, and the entries of these layers. */
function textsIn(entries: readonly Entry[], textLayers: Layers) {
  // Maps each result of a chain to the input of the chain and the layers up to the result.
  const texts = new Map<string, { input: string; chain: Chain }>();
  for (const entry of entries.filter(isTextInput)) {
    texts.set(`${nameOf(entry)} 0`, { input: nameOf(entry), chain: [] });
  }
  const chained = new Set<Entry>();
  for (let before = -1; before !== texts.size; ) {
    before = texts.size;
    for (const entry of entries) {
      const chain = isInput(entry) ? null : chainOf(entry, textLayers);
      if (!chain) continue;
      entry.inbound_nodes?.forEach(({ args }, call) => {
        const [name, node] = historyOf(args[0]) ?? ['', 0];
        const source = texts.get(`${name} ${node}`);
        if (!source) return;
        chained.add(entry);
        texts.set(`${nameOf(entry)} ${call}`, { ...source, chain: [...source.chain, ...chain] });
      });
    }
  }
  return { texts, chained };
}

/** A model inside another one, without its layers that read text. */
interface Nested extends Split {
  entry: Entry;
}

/** Splits a model inside another one; null if it does not read text. */
function splitNested(entry: Entry, textLayers: Layers): Nested | null {
  if (layersOf(entry).length === 0 || chainOf(entry, textLayers)) return null;
  const isGraph = 'input_layers' in entry.config;
  const split = isGraph ? splitGraph(entry, textLayers) : splitSequential(entry, textLayers);
  if (!split.inputs.some(({ chains }) => chains)) return null;
  return { ...split, entry: numbersOf(entry, split) };
}

/** Returns the only chain of a model inside a Sequential. */
function onlyChain({ inputs }: Split, name: string): Chain {
  const [chain, ...others] = inputs.flatMap(({ chains }) => chains ?? []);
  if (chain && others.length === 0 && inputs.length === 1) return chain;
  throw new UnsupportedError(
    `'${name}' reads a text by several layers, which a model inside a Sequential cannot`,
  );
}

/** Returns the config of a model for that of its numbers. */
function numbersOf(config: Entry, { layers, ends, outputs }: Split): Entry {
  const { build_input_shape: _, ...settings } = config.config;
  const graph = ends && { input_layers: ends.length === 1 ? ends[0] : ends };
  const results = ends && { output_layers: outputs };
  return { ...config, build_config: null, config: { ...settings, layers, ...graph, ...results } };
}

/**
 * Moves the layers that read text out of the models of a graph: an entry beside the model stands
 * for each of their chains.
 */
function withoutNestedTexts(entries: readonly Entry[], textLayers: Layers): Entry[] {
  return entries.flatMap((entry) => {
    const nested = splitNested(entry, textLayers);
    return nested ? movedTexts(entry, nested) : [entry];
  });
}

/** Returns the chains of a nested model as entries of the graph outside, and the model. */
function movedTexts(entry: Entry, { entry: numbers, inputs }: Nested): Entry[] {
  const calls = (entry.inbound_nodes ?? []).map((call) => ({
    call,
    given: argumentsOf(call.args[0], inputs),
  }));
  const moved: Entry[] = [];
  const move = (name: string, at: number, chain: Chain): string => {
    const nodes = calls.map(({ given }) => ({ args: [given[at]], kwargs: {} }));
    const stands = { ...identity(name), name, inbound_nodes: nodes };
    movedChains.set(stands, chain);
    moved.push(stands);
    return name;
  };
  // For each input of the numbers, its place among the arguments, or the entry of its chain.
  const sources = inputs.flatMap(({ chains }, at): (string | number)[] =>
    chains ? chains.map((chain, i) => move(`${nameOf(entry)}:${at}:${i}`, at, chain)) : [at],
  );
  const nodes = calls.map(({ call, given }, i) => {
    const values = sources.map((source) =>
      typeof source === 'string' ? symbolAt([source, i, 0]) : given[source],
    );
    return { ...call, args: [values.length === 1 ? values[0] : values] };
  });
  return [...moved, { ...numbers, inbound_nodes: nodes } as Entry];
}

const symbolAt = (history: History): object => ({
  class_name: '__keras_tensor__',
  config: { keras_history: history },
});

/** Returns the argument of each input of a model that is called. */
function argumentsOf(value: unknown, inputs: readonly TextInput[]): readonly unknown[] {
  if (historyOf(value)) return [value];
  if (Array.isArray(value)) return value;
  const entries = Object.entries(Object(value) as object).sort(([a], [b]) => (a < b ? -1 : 1));
  const byName = new Map(entries);
  const isNamed = inputs.every(({ name }) => byName.has(name));
  return isNamed ? inputs.map(({ name }) => byName.get(name)) : entries.map(([, item]) => item);
}

/** Replaces results of text layers among the outputs by the inputs that stand for them. */
function renamedEnds(value: unknown, results: ReadonlyMap<string, unknown>): unknown {
  if (!Array.isArray(value)) {
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    return Object.fromEntries(entries.map(([key, item]) => [key, renamedEnds(item, results)]));
  }
  const [name, call] = value as unknown[];
  if (typeof name !== 'string') return value.map((item) => renamedEnds(item, results));
  const replacement = results.get(`${name} ${call}`);
  return replacement === undefined ? value : [replacement, 0, 0];
}

function splitGraph(config: SerializedObject, textLayers: Layers): Split {
  const entries = withoutNestedTexts(layersOf(config), textLayers);
  const { texts, chained } = textsIn(entries, textLayers);
  const shapes = new Map(entries.map((entry) => [nameOf(entry), entry.config['batch_shape']]));
  const replacements = new Map<string, { entry: Entry; input: string; chain: Chain }>();
  for (const [key, { input, chain }] of texts) {
    if (chain.length === 0) continue;
    const space = key.lastIndexOf(' ');
    const [layer, call] = [key.slice(0, space), Number(key.slice(space + 1))];
    const name = resultName(layer, call);
    const entry = { ...inputFor(name, chain, shapes.get(input)), name, inbound_nodes: [] };
    replacements.set(key, { entry, input, chain });
  }
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rename);
    if (typeof value !== 'object' || value === null) return value;
    const history = historyOf(value);
    if (!history) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rename(item)]));
    }
    const replacement = replacements.get(`${history[0]} ${history[1]}`);
    if (!replacement) return value;
    return { ...value, config: { keras_history: [nameOf(replacement.entry), 0, 0] } };
  };
  const others = entries
    .filter((entry) => !chained.has(entry) && !isTextInput(entry))
    .map((entry) => ({ ...entry, inbound_nodes: rename(entry.inbound_nodes) }) as Entry);
  refuseStrings(others, new Set(texts.keys()), replacements);
  const inputs = namesOfEnds(config.config['input_layers']).map((name) => {
    const chains = [...replacements.values()].filter(({ input }) => input === name);
    const isText = texts.has(`${name} 0`);
    return {
      name,
      entries: chains,
      chains: isText ? chains.map(({ chain }) => chain) : null,
      shape: shapes.get(name),
      results: chains.map(({ entry }) => nameOf(entry)),
    };
  });
  const ends = inputs.flatMap(({ name, entries: of, chains }) =>
    chains ? of.map(({ entry }) => [nameOf(entry), 0, 0]) : [[name, 0, 0]],
  );
  const layers = [...[...replacements.values()].map(({ entry }) => entry), ...others];
  const names = new Map([...replacements].map(([key, { entry }]) => [key, nameOf(entry)]));
  return { layers, inputs, ends, outputs: renamedEnds(config.config['output_layers'], names) };
}

/** Throws UnsupportedError if another layer uses strings. */
function refuseStrings(
  entries: readonly Entry[],
  texts: ReadonlySet<string>,
  replacements: ReadonlyMap<string, unknown>,
): void {
  const visit = (value: unknown, name: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const [layer, call] = historyOf(value) ?? [];
    const key = `${layer} ${call}`;
    if (texts.has(key) && !replacements.has(key)) {
      throw new UnsupportedError(
        `'${name}' reads the strings of '${layer}', which only TextVectorization, StringLookup and Hashing can`,
      );
    }
    for (const item of Object.values(value)) visit(item, name);
  };
  for (const entry of entries) visit(entry.inbound_nodes, nameOf(entry));
}

/** Implements the service `textSplitting`. */
export function splitModel(
  config: SerializedObject,
  files: VocabularyFiles,
  objects: { readonly [name: string]: unknown },
  makers: Map<string, Maker>,
): SplitModel | null {
  if (!isSound(config)) return null;
  const paths: ReadonlyMap<unknown, string> = layerPaths(config);
  const textLayers = createLayers(config, (entry, index) => {
    const replacement = objects[nameOf(entry)];
    const place = { path: paths.get(entry), index };
    return isLayer(replacement) ? replacement : textLayer(entry, place, files);
  });
  return splitWith(config, textLayers, makers);
}

/** Splits a model whose layers that map text or categories exist. */
export function splitWith(
  config: SerializedObject,
  textLayers: Layers,
  makers: Map<string, Maker>,
): SplitModel | null {
  const isGraph = 'input_layers' in config.config;
  const split = isGraph ? splitGraph(config, textLayers) : splitSequential(config, textLayers);
  const { inputs } = split;
  const chained = new Set(inputs.flatMap(({ chains }) => (chains ?? []).flat()));
  for (const [entry, layer] of textLayers) {
    if (chained.has(layer) || !mapsNumbers(layer)) continue;
    const { config: settings } = withVocabulary(entry as Entry, layer);
    makers.set(nameOf(entry as Entry), () => numberLayer(layer, () => settings));
  }
  if (!inputs.some(({ chains }) => chains)) return null;
  const names = config.config['input_layers'];
  const keys = Array.isArray(names) || !isGraph ? [] : Object.keys(Object(names));
  const front = frontOf(config, inputs, keys, textLayers);
  return {
    config: numbersOf(config, split),
    make: (prepared) => new TextModel(prepared, front),
  };
}

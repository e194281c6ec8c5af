// SPDX-License-Identifier: MIT
// The graph of a model without the layers that read strings, of which the core has none: their results become its inputs.
import { isRecord } from '../base/json.js';
import type { SerializedObject } from '../formats/artifact.js';
import { UnsupportedError } from '../base/errors.js';
import { Tensor } from '../tensor/tensor.js';
import type { Maker } from '../layers/registry.js';
import type { SplitModel } from '../formats/text_splitting.js';
import { IntegerLayer } from './integer_layer.js';
import { IntegerLookup } from './integer_lookup.js';
import { type TextInput, TextModel, throughChain } from './text_model.js';
import {
  isVocabularyLayer,
  type Texts,
  type VocabularyLayer,
  vocabularyLayer,
} from './vocabulary_file.js';

type Entry = SerializedObject & { name?: string; inbound_nodes?: { args: unknown[] }[] };
type Chain = readonly VocabularyLayer[];
type Made = ReadonlyMap<unknown, VocabularyLayer>;

const layersOf = (entry: SerializedObject): Entry[] => {
  const layers = entry.config?.['layers'];
  return Array.isArray(layers) ? layers : [];
};
const nameOf = (entry: Entry): string => String(entry.name ?? entry.config['name']);
const isInput = ({ class_name: name }: SerializedObject): boolean => name === 'InputLayer';
const isTextInput = (entry: SerializedObject): boolean =>
  isInput(entry) && entry.config['dtype'] === 'string';

const isLayer = (value: unknown): value is VocabularyLayer =>
  typeof value === 'object' && value !== null && 'setVocabulary' in value;

/** Is everything what it has to be? What is not, the core says. */
function isSound(entry: unknown): boolean {
  if (!isRecord(entry) || !isRecord(entry['config'])) return false;
  const { class_name: name, inbound_nodes: calls = [] } = entry;
  const { layers = [] } = entry['config'];
  return (
    typeof name === 'string' &&
    Array.isArray(layers) &&
    // (A parsed object may have holes, which `every` leaves out.)
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

/** All vocabulary layers, at any depth, in the file's order. */
function madeOf(
  config: SerializedObject,
  texts: Texts,
  objects: { readonly [name: string]: unknown },
): Map<unknown, VocabularyLayer> {
  const made = new Map<unknown, VocabularyLayer>();
  const places = new Map<string, number>();
  const visit = (entry: Entry): void => {
    if (isVocabularyLayer(entry)) {
      const place = places.get(entry.class_name) ?? 0;
      places.set(entry.class_name, place + 1);
      const own = objects[nameOf(entry)];
      made.set(entry, isLayer(own) ? own : vocabularyLayer(entry, place, texts));
    }
    for (const inside of layersOf(entry)) visit(inside);
  };
  visit(config as Entry);
  return made;
}

/** What reads strings, if the entry is nothing else: a layer, or a model of such layers one after the other. */
function chainOf(entry: Entry, made: Made): Chain | null {
  const layer = made.get(entry);
  if (layer) return layer instanceof IntegerLookup ? null : [layer];
  const inside = layersOf(entry).filter((part) => !isInput(part));
  if (inside.length === 0 || layersOf(entry).filter(isInput).length > 1) return null;
  const chains = inside.map((part) => chainOf(part, made));
  return chains.every((chain) => chain !== null) ? chains.flat() : null;
}

/** The InputLayer in place of a chain: what it gives for texts of an input's shape. */
function inputFor(name: string, chain: Chain, batchShape: unknown): Entry {
  const shape = Array.isArray(batchShape) ? (batchShape as (number | null)[]) : [null];
  const texts = shape.slice(1).reduce<number>((product, dim) => product * (dim ?? 4), 1);
  if (!(texts <= kMostTexts)) {
    throw new UnsupportedError(
      `'${name}' reads ${texts} texts a row; at most ${kMostTexts} are read`,
    );
  }
  const sample = (unknown: number): Tensor => {
    const text = Array(unknown).fill('a').join(' ');
    const fill = (i: number): unknown =>
      i === shape.length
        ? text
        : Array.from({ length: (i > 0 && shape[i]) || (i > 0 ? unknown : 2) }, () => fill(i + 1));
    return throughChain(chain, fill(0));
  };
  const [few, more] = [sample(3), sample(4)];
  if (!(few instanceof Tensor) || !(more instanceof Tensor)) {
    throw new UnsupportedError(`'${name}' gives ragged rows or strings, which no layer here takes`);
  }
  const { dtype } = few;
  const dims = few.shape.map((size, i) => (i > 0 && size === more.shape[i] ? size : null));
  few.dispose();
  more.dispose();
  return {
    module: 'keras.layers',
    class_name: 'InputLayer',
    config: { batch_shape: dims, dtype, sparse: false, ragged: false, name },
    registered_name: null,
  };
}

// A row of a batch has one, as a rule.
const kMostTexts = 1000;

interface Split {
  layers: Entry[];
  inputs: TextInput[];
  /** Of a graph: what the model is given. */
  ends?: unknown[];
}

function splitSequential(config: SerializedObject, made: Made): Split {
  const [head, ...others] = layersOf(config);
  if (!head) return { layers: [], inputs: [] };
  const input = isInput(head) ? head : undefined;
  const rest = input ? others : [head, ...others];
  const chain: VocabularyLayer[] = [];
  while (rest[0] && chainOf(rest[0], made)) {
    chain.push(...(chainOf(rest.shift() as Entry, made) ?? []));
  }
  const name = input ? nameOf(input) : 'input';
  if (chain.length === 0) return { layers: layersOf(config), inputs: [{ name, chains: null }] };
  const shape = input?.config['batch_shape'] ?? config.config['build_input_shape'];
  return { layers: [inputFor(name, chain, shape), ...rest], inputs: [{ name, chains: [chain] }] };
}

type History = [string, number, number];

const historyOf = (value: unknown): History | null => {
  const { class_name: name, config } = Object(value) as { class_name?: unknown; config?: unknown };
  return name === '__keras_tensor__' ? (config as { keras_history: History }).keras_history : null;
};

/** Names of inputs, however they are nested. */
const endsOf = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value) && typeof value[0] === 'string') return [value[0]];
  return Object.values(value).flatMap(endsOf);
};

function splitGraph(config: SerializedObject, made: Made): Split {
  const entries = layersOf(config);
  // Each result of a chain: the input that it is made of.
  const texts = new Map<string, { input: string; chain: Chain }>();
  for (const entry of entries.filter(isTextInput)) {
    texts.set(`${nameOf(entry)} 0`, { input: nameOf(entry), chain: [] });
  }
  const taken = new Set<Entry>();
  for (let before = -1; before !== texts.size; ) {
    before = texts.size;
    for (const entry of entries) {
      const chain = isInput(entry) ? null : chainOf(entry, made);
      if (!chain) continue;
      entry.inbound_nodes?.forEach(({ args }, call) => {
        const [name, node] = historyOf(args[0]) ?? ['', 0];
        const source = texts.get(`${name} ${node}`);
        if (!source) return;
        taken.add(entry);
        texts.set(`${nameOf(entry)} ${call}`, { ...source, chain: [...source.chain, ...chain] });
      });
    }
  }
  const shapes = new Map(entries.map((entry) => [nameOf(entry), entry.config['batch_shape']]));
  const made2 = new Map<string, { entry: Entry; input: string; chain: Chain }>();
  for (const [key, { input, chain }] of texts) {
    if (chain.length === 0) continue;
    const at = key.lastIndexOf(' ');
    const [layer, call] = [key.slice(0, at), Number(key.slice(at + 1))];
    const name = call === 0 ? layer : `${layer}_${call}`;
    const entry = { ...inputFor(name, chain, shapes.get(input)), name, inbound_nodes: [] };
    made2.set(key, { entry, input, chain });
  }
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamed);
    if (typeof value !== 'object' || value === null) return value;
    const history = historyOf(value);
    if (!history) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renamed(item)]));
    }
    const found = made2.get(`${history[0]} ${history[1]}`);
    if (!found) return value;
    return { ...value, config: { keras_history: [nameOf(found.entry), 0, 0] } };
  };
  const kept = entries
    .filter((entry) => !taken.has(entry) && !isTextInput(entry))
    .map((entry) => ({ ...entry, inbound_nodes: renamed(entry.inbound_nodes) }) as Entry);
  refuseStrings(kept, new Set(texts.keys()), made2);
  const inputs = endsOf(config.config['input_layers']).map((name) => {
    const chains = [...made2.values()].filter(({ input }) => input === name);
    const isText = texts.has(`${name} 0`);
    return { name, entries: chains, chains: isText ? chains.map(({ chain }) => chain) : null };
  });
  const ends = inputs.flatMap(({ name, entries: of, chains }) =>
    chains ? of.map(({ entry }) => [nameOf(entry), 0, 0]) : [[name, 0, 0]],
  );
  return { layers: [...[...made2.values()].map(({ entry }) => entry), ...kept], inputs, ends };
}

function refuseStrings(
  entries: readonly Entry[],
  texts: ReadonlySet<string>,
  made: ReadonlyMap<string, unknown>,
): void {
  const visit = (value: unknown, name: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const [layer, call] = historyOf(value) ?? [];
    const key = `${layer} ${call}`;
    if (texts.has(key) && !made.has(key)) {
      throw new UnsupportedError(
        `'${name}' takes the strings of '${layer}'; only TextVectorization and StringLookup can`,
      );
    }
    for (const item of Object.values(value)) visit(item, name);
  };
  for (const entry of entries) visit(entry.inbound_nodes, nameOf(entry));
}

/** Implements the service `textSplitting`. */
export function splitModel(
  config: SerializedObject,
  texts: Texts,
  objects: { readonly [name: string]: unknown },
  makers: Map<string, Maker>,
): SplitModel | null {
  if (!isSound(config)) return null;
  const made = madeOf(config, texts, objects);
  for (const [entry, layer] of made) {
    if (layer instanceof IntegerLookup) {
      makers.set(nameOf(entry as Entry), () => new IntegerLayer(layer));
    }
  }
  const isGraph = 'input_layers' in config.config;
  const { layers, inputs, ends } = isGraph
    ? splitGraph(config, made)
    : splitSequential(config, made);
  if (!inputs.some(({ chains }) => chains)) return null;
  const { build_input_shape: _, ...settings } = config.config;
  const graph = ends && { input_layers: ends.length === 1 ? ends[0] : ends };
  const given = config.config['input_layers'];
  const keys = Array.isArray(given) || !isGraph ? [] : Object.keys(Object(given));
  const front = { inputs, keys, layers: [...made.values()] };
  return {
    config: { ...config, build_config: null, config: { ...settings, layers, ...graph } },
    make: (prepared) => new TextModel(prepared, front),
  };
}

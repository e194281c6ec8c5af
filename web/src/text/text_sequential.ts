// SPDX-License-Identifier: MIT
// Models of strings as lists of layers: `new Sequential([vectorizer, …])`, and `add` and `pop`.
import { checkOptions } from '../base/check.js';
import { ConfigError } from '../base/errors.js';
import { native, unwrap } from '../engine/engine.js';
import type { SerializedObject } from '../formats/artifact.js';
import { addedLosses } from '../layers/added_losses.js';
import { Layer } from '../layers/layer.js';
import { Prepared } from '../layers/layer_objects.js';
import type { Model } from '../model/model.js';
import { Sequential } from '../model/sequential.js';
import { HashedCrossing } from './hashed_crossing.js';
import { IntegerLookup } from './integer_lookup.js';
import { inGraph } from './number_layer.js';
import { inputFor, inputLayer } from './split_model.js';
import { SymbolicText } from './symbolic_text.js';
import { frontOf } from './text_front.js';
import { checkNames, isText, layerEntry, refuseSubclass, serialized } from './text_items.js';
import type { TextLayer } from './text_layer.js';
import { readTexts, TextModel } from './text_model.js';
import type { TextInput } from './text_parts.js';
import type { Front } from './text_reader.js';

type Handle = Prepared['handle'];

/** The layers of a Sequential: those that read its texts, and those of the graph. */
interface Parts {
  readonly input: SymbolicText;
  readonly chain: readonly TextLayer[];
  readonly layers: readonly Layer[];
}

/** Returns an item of a Sequential, as a layer of the graph if it reads numbers only. */
const asLayer = (item: unknown): unknown =>
  item instanceof IntegerLookup || item instanceof HashedCrossing ? inGraph(item) : item;

/** Returns whether an item of a Sequential reads texts. */
const readsTexts = (item: unknown): boolean =>
  item instanceof SymbolicText || item instanceof TextModel || isText(item);

/** Returns the layers that read the only text, one after the other; null for other models. */
function chainOf({ inputs }: Front): readonly TextLayer[] | null {
  const [chain, ...others] = inputs.flatMap(({ chains }) => chains ?? [[]]);
  return chain && chain.length > 0 && others.length === 0 ? chain : null;
}

/** Throws ConfigError for an item that cannot follow a layer of numbers. */
function checkLayer(item: unknown): void {
  const { name } = Object(item) as Layer;
  if (readsTexts(item)) {
    const [kind, list] = item instanceof TextModel ? ['model', 'model'] : ['layer', 'vectorizer'];
    throw new ConfigError(
      `'${name}' reads texts, so it must be the first ${kind}: new Sequential([${list}, …])`,
    );
  }
  if (item instanceof Layer) return;
  throw new ConfigError(`'${name}' must be a layer; layers of maskflow/text come first`);
}

/** Returns the layers of a model that reads texts, to put it in front of others. */
function partsInFront(input: SymbolicText, model: TextModel): Parts {
  const chain = chainOf(model.front);
  if (chain) return { input, chain, layers: [model] };
  throw new ConfigError(
    `'${model.name}' reads texts by several layers, so it cannot be in a Sequential; make a graph: const x = Input({ shape: [1], dtype: 'string' }); new Model({ inputs: x, outputs: layer.apply(model.apply(x)) })`,
  );
}

/** Returns the layers with one more, or throws ConfigError for an order that cannot run. */
function extended({ input, chain, layers }: Parts, item: unknown): Parts {
  if (layers.length === 0 && isText(item)) {
    checkNames([...chain, item]);
    return { input, chain: [...chain, item], layers };
  }
  if (chain.length === 0) {
    if (item instanceof TextModel) return partsInFront(input, item);
    throw new ConfigError(
      `the layer after an Input of strings must read them: new Sequential([input, new TextVectorization(…), …])`,
    );
  }
  checkLayer(item);
  return { input, chain, layers: [...layers, item as Layer] };
}

/** Divides the items of a Sequential. */
function partsOf(items: readonly unknown[]): Parts {
  const [first, ...others] = items;
  // Text layers that come late are at fault, not the first layer.
  if (!readsTexts(first)) others.forEach(checkLayer);
  const hasInput = first instanceof SymbolicText;
  // Without an Input, texts are rows of one text.
  const input = hasInput ? first : new SymbolicText({ shape: [1] });
  return (hasInput ? others : items).reduce(extended, { input, chain: [], layers: [] });
}

/** Creates a layer of the core and adds it to a Sequential. */
function addCreated(model: Handle, className: string, config: object): void {
  const layer = unwrap(native().layerCreate(className, config as never));
  try {
    unwrap(native().sequentialAdd(model, layer));
  } finally {
    native()._layer_free(layer);
  }
}

/** Adds the layers of the graph to an empty Sequential. */
function fill(handle: Handle, { input, chain, layers }: Parts): void {
  addCreated(handle, 'InputLayer', inputFor(input.name, chain, input.shape).config);
  for (const layer of layers) unwrap(native().sequentialAdd(handle, layer.handle));
  // A Sequential needs a layer, so that of a model of text layers alone does nothing.
  if (layers.length === 0) addCreated(handle, 'Identity', { name: chain.at(-1)?.name });
}

/** Returns the part of the model that reads texts. */
function frontFor(handle: Handle, { input, chain, layers }: Parts): Front {
  const entries = new Map<unknown, TextLayer>(chain.map((layer) => [layerEntry(layer), layer]));
  const numbers = serialized(handle);
  const [, ...own] = numbers.config['layers'] as SerializedObject[];
  const all = [
    inputLayer(input.name, input.shape, 'string'),
    ...entries.keys(),
    ...(layers.length === 0 ? [] : own),
  ];
  const whole = { ...numbers, config: { ...numbers.config, layers: all } };
  const { name, shape } = input;
  return frontOf(whole, [{ name, chains: [chain], shape, results: [name] }], [], entries);
}

/** Creates a model that begins with texts; undefined for other layers. */
export function sequential(
  items: unknown,
  options: object,
  isSubclass: boolean,
): Sequential | TextModel | undefined {
  if (!Array.isArray(items) || !items.some(readsTexts)) return undefined;
  // An Input alone waits for the layers that `add` appends.
  if (items.length === 1 && items[0] instanceof SymbolicText) return undefined;
  refuseSubclass(isSubclass);
  const layers = items.map(asLayer);
  if (!layers.some(readsTexts)) return new Sequential(layers as Layer[], options);
  const { name, trainable = true } = checkOptions<{ name?: string; trainable?: boolean }>(options, {
    name: 1,
    trainable: 1,
  });
  const parts = partsOf(layers);
  const handle = unwrap(native().sequentialCreate(name ? { name } : {}));
  try {
    fill(handle, parts);
    const model = new TextModel(new Prepared(handle), frontFor(handle, parts));
    if (!trainable) model.trainable = false;
    return model;
  } catch (error) {
    native()._layer_free(handle);
    throw error;
  }
}

/** Inputs of strings of models that have no layer yet. */
const waiting = new WeakMap<object, SymbolicText>();

/** Returns the layers of a model that reads texts. Throws ConfigError for a graph. */
function partsIn(model: TextModel): Parts {
  const { front, layers } = model;
  const chain = front.isSequential ? chainOf(front) : null;
  if (!chain) {
    throw new ConfigError(
      `'${model.name}' is a graph that reads texts, so its layers are fixed; write new Sequential([model, layer])`,
    );
  }
  const { name, shape = [null] } = front.inputs[0] as TextInput;
  const input = new SymbolicText({ batchShape: shape as (number | null)[], name });
  const [only] = layers;
  const isEmpty = only?.className === 'Identity' && only.name === chain.at(-1)?.name;
  return { input, chain, layers: isEmpty ? [] : layers };
}

/** Gives a Sequential other layers. */
function refill(model: Model, parts: Parts): void {
  const { handle } = model;
  // An error of the text layers must leave the model as it is.
  inputFor(parts.input.name, parts.chain, parts.input.shape);
  const count = model.layers.length + (model instanceof TextModel ? 1 : 0);
  for (let i = 0; i < count; i++) unwrap(native().sequentialPop(handle));
  fill(handle, parts);
  Object.setPrototypeOf(model, TextModel.prototype);
  waiting.delete(model);
  readTexts(model, frontFor(handle, parts), parts.layers);
  addedLosses.supplied?.begin(model);
}

/** Throws ConfigError for a Sequential that has layers of numbers, or an Input of numbers. */
function checkEmpty(model: Model, item: unknown): void {
  refuseSubclass(model.constructor !== Sequential);
  if (unwrap(native().modelHasGraph(model.handle)) || model.layers.length > 0) checkLayer(item);
}

/** Appends an item to a Sequential that reads texts, or begins to; false for all others. */
export function append(model: Model, given: unknown): boolean {
  const item = asLayer(given);
  if (item !== given && !(model instanceof TextModel || waiting.has(model))) {
    (model as Sequential).add(item as Layer);
    return true;
  }
  if (model instanceof TextModel) {
    refill(model, extended(partsIn(model), item));
    return true;
  }
  const input = waiting.get(model);
  if (!input) {
    if (!readsTexts(item)) return false;
    checkEmpty(model, item);
  }
  if (!input && item instanceof SymbolicText) waiting.set(model, item);
  else refill(model, partsOf(input ? [input, item] : [item]));
  return true;
}

/** Removes the last layer of a Sequential that reads texts. */
export function removeLast(model: TextModel): void {
  const { input, chain, layers } = partsIn(model);
  const isLast = layers.length === 0;
  if (isLast && chain.length === 1) {
    throw new ConfigError(
      `'${chain[0]?.name}' is the only layer of '${model.name}', which must stay; make a new Sequential`,
    );
  }
  refill(model, {
    input,
    chain: isLast ? chain.slice(0, -1) : chain,
    layers: layers.slice(0, -1),
  });
}

// SPDX-License-Identifier: MIT
// Where Keras 3 looks for the layers in the attributes of a user-defined class, and in which order.
import { isPlain } from '../base/check.js';
import { lookUp, toSnake } from '../base/names.js';
import { Layer } from '../layers/layer.js';
import { registeredNameOf } from '../layers/registry.js';
import { Model } from '../model/model.js';
import { memberNames } from './member_names.js';

/** A place in which Keras looks for a layer. */
export interface Place {
  readonly layer: Layer;
  /** The property of the owner that has the layer, itself or in a list; not for `layers`. */
  readonly property?: string;
  /** Paths below the group of the owner: Keras 3.15's, then those of other names in Python. */
  readonly keys: readonly string[];
  /** For an item of `layers` whose order is in doubt: the paths in the order of creation. */
  readonly asCreated?: readonly string[] | undefined;
  /** Whether a file must not have the layer here, because its number is in doubt. */
  readonly isDoubtful?: boolean;
}

/** How the layers of a model were assigned to its properties: in their order, or as created. */
export type Assignment = 'as properties' | 'as created';

// Found by pairing the model's weights with those of a file.
const assignments = new WeakMap<Layer, Assignment>();

/** Remembers how the layers of a model were assigned, for the next file that is written. */
export const rememberAssignment = (model: Layer, assignment: Assignment): void =>
  void assignments.set(model, assignment);

/** The name of the property that holds all layers of a model in Python. */
const kLayers = 'layers';

// For each custom layer that was paired with a file: the attributes in Python of its properties.
const attributesOfFiles = new WeakMap<Layer, ReadonlyMap<string, string>>();

/** Stands for an attribute that sorts after `layers`: files do not have its name. */
export const kAfterLayers = `${kLayers}~`;

/** Remembers the names that properties of a layer have in a file, for the next file. */
export const rememberAttributes = (owner: Layer, names: ReadonlyMap<string, string>): void =>
  void attributesOfFiles.set(owner, new Map([...(attributesOfFiles.get(owner) ?? []), ...names]));

/**
 * The layers of a custom layer in the order in which Keras visits them: attributes by name, private
 * ones last. A model also has the attribute `layers`. A layer may occur several times.
 */
export function placesOf(owner: Layer): Place[] {
  const attributes = Object.entries(owner)
    .map(([property, value]) => ({ property, names: namesOf(property, owner), value }))
    .filter(({ value }) => value instanceof Layer || isContainer(value));
  const isModel = owner instanceof Model;
  const visited = attributes.map(({ property, names, value }) => ({
    key: sortKey(names[0] as string),
    places: (value instanceof Layer
      ? [{ layer: value, keys: names }]
      : withFlatKeys(names, value)
    ).map((place): Place => ({ ...place, property })),
  }));
  if (isModel) visited.push({ key: kLayers, places: placesInLayers(owner) });
  visited.sort((a, b) => (a.key < b.key ? -1 : 1));
  const places: Place[] = visited.flatMap((attribute) => attribute.places);
  return isModel ? places : [...places, ...unreached(owner, places)];
}

const isCollection = (value: unknown): value is Map<unknown, unknown> | Set<unknown> =>
  value instanceof Map || value instanceof Set;
const isContainer = (value: unknown): value is object =>
  Array.isArray(value) || isPlain(value) || isCollection(value);
/** The items of a list, dictionary, map or set. */
const itemsOf = (container: object): unknown[] =>
  isCollection(container) ? [...container.values()] : Object.values(container);

/** Keras visits private attributes last. */
const sortKey = (name: string): string => (name.startsWith('_') ? `~${name}` : name);

/**
 * Names that an attribute may have in Python, the likeliest first: that of the file which was
 * loaded, that which the class tells, then `dense1` or `dense_1` for `dense1`. A name that Layer
 * itself has is written with an underscore at its end.
 */
function namesOf(property: string, owner: Layer): string[] {
  const stored = attributesOfFiles.get(owner)?.get(property);
  const { pythonNames = {} } = owner.constructor as typeof Layer;
  const known = [stored, lookUp(pythonNames, property)].filter((name) => name !== undefined);
  return [...new Set([...known, ...likelyNames(property, owner)])];
}

function likelyNames(property: string, owner: Layer): string[] {
  const snake = toSnake(property);
  const names = [snake, snake.replace(/([a-z])(\d)/g, '$1_$2'), property];
  names.push(property.replace(/_$/, ''));
  if (property.startsWith('__')) names.push(`_${owner.constructor.name}${property}`);
  return names;
}

/**
 * The layers in a list or dictionary. Earlier versions of this package numbered the layers of lists
 * in lists as if they were in one.
 */
function withFlatKeys(names: readonly string[], container: object): Place[] {
  const places = placesIn(names, container);
  const direct = new Set(itemsOf(container));
  if (places.every(({ layer }) => direct.has(layer))) return places;
  const layers = [...new Set(places.map(({ layer }) => layer))];
  const flat = new Map(numbered(layers).map(([name], i) => [layers[i], `${names[0]}/${name}`]));
  return places.map((place) => {
    return { ...place, keys: [...place.keys, flat.get(place.layer) as string] };
  });
}

/** The layers in a list or dictionary, which Keras names by class and running number. */
function placesIn(prefixes: readonly string[], container: object, depth = 0): Place[] {
  const items = itemsOf(container).filter((item) => item instanceof Layer || isContainer(item));
  const names = numbered(items);
  return items.flatMap((item, i) => {
    const keys = prefixes.flatMap((prefix) => (names[i] ?? []).map((name) => `${prefix}/${name}`));
    if (item instanceof Layer) return [{ layer: item, keys }];
    return depth < 3 ? placesIn(keys, item, depth + 1) : [];
  });
}

/** For each item of a list: its names by class and running number. */
function numbered(items: readonly unknown[]): string[][] {
  const registered = memberNames(items.map((item) => classOf(item)));
  const own = memberNames(
    items.map((item) => (item instanceof Layer ? item.className : kContainer)),
  );
  return items.map((_, i) => [...new Set([registered[i] as string, own[i] as string])]);
}

const kContainer = 'container';

/** Name of a class in Python: the registered one, because bundlers shorten names of classes. */
function classOf(item: unknown): string {
  if (!(item instanceof Layer)) return kContainer;
  const registered = registeredNameOf(item);
  return registered ? registered.slice(registered.indexOf('>') + 1) : item.className;
}

/**
 * The items of a model's `layers`, which Keras numbers in the order of assignment. That is the
 * order of the properties, unless the class declares them before it assigns them.
 */
function placesInLayers(owner: Layer): Place[] {
  const layers = owner.ownLayers();
  const keysOf = (order: readonly Layer[]): Map<Layer, string[]> => {
    const names = numbered(order);
    return new Map(
      order.map((layer, i) => [layer, (names[i] ?? []).map((name) => `${kLayers}/${name}`)]),
    );
  };
  const asProperties = keysOf(layers);
  const asCreated = keysOf(byCreation(owner, layers));
  const known = assignments.get(owner);
  return layers.map((layer) => {
    const [first, second] = [asProperties.get(layer) ?? [], asCreated.get(layer) ?? []];
    if (String(first) === String(second)) return { layer, keys: first };
    if (known) return { layer, keys: known === 'as created' ? second : first };
    return { layer, keys: first, asCreated: second, isDoubtful: true };
  });
}

/**
 * The layers in the order in which they were created. Layers that are older than their owner were
 * passed to it, and stay behind those before which their properties are.
 */
function byCreation(owner: Layer, layers: readonly Layer[]): Layer[] {
  const own = layers.filter((layer) => layer.handle > owner.handle);
  const sorted = [...own].sort((a, b) => a.handle - b.handle);
  let next = 0;
  if (own.every((layer, i) => layer === sorted[i])) return [...layers];
  return layers.map((layer) => (layer.handle > owner.handle ? (sorted[next++] as Layer) : layer));
}

/** The layers that a custom layer owns outside of its attributes: Keras never finds them. */
function unreached(owner: Layer, places: readonly Place[]): Place[] {
  const reached = new Set(places.map(({ layer }) => layer));
  const others = owner.ownLayers().filter((layer) => !reached.has(layer));
  const names = memberNames(others.map(classOf));
  return others.map((layer, i) => ({ layer, keys: [`${kLayers}/own_${names[i]}`] }));
}

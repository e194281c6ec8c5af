// SPDX-License-Identifier: MIT
// Operations of a file that call functions. Python code cannot run here, so `customObjects` has
// their replacements.
import type { Call } from '../../layers/call_details.js';
import { callsFunctions, functionCall } from '../../layers/function_call.js';
import type { Maker } from '../../layers/registry.js';
import type { LoadOptions } from '../../model/load_options.js';
import type { SerializedObject } from '../artifact.js';
import { isRecord, type Json, listOf, textOf } from '../json.js';

type Objects = NonNullable<LoadOptions['customObjects']>;
type F = Call['functions'][number];

/** Arguments and results of the function of each class, for the error without it. */
const signatures: { readonly [className: string]: string } = {
  AssociativeScan: '(a, b) => …',
  Map: '(x) => …',
  Scan: '(carry, x) => [carry, y]',
  Switch: '[(...operands) => …, …]',
  VectorizedMap: '(x) => …',
};

/** Returns whether an entry of a graph is an operation that calls functions. */
const isFunctionOp = ({ module, class_name: className }: SerializedObject): boolean =>
  textOf(module).includes('.ops') && callsFunctions(className);

const isFunction = (value: unknown): value is Json =>
  isRecord(value) && /^(__lambda__|function)$/.test(textOf(value['class_name']));

/** The replacement of a function in `customObjects`; undefined without one. */
function replacementOf(
  name: string,
  place: number,
  reference: Json,
  objects: Objects,
): F | undefined {
  const { class_name: kind, config, registered_name: registered } = reference;
  const keys = kind === 'function' ? [name, registered, config] : [name];
  for (const key of keys) {
    const object = Object.hasOwn(objects, String(key)) ? objects[String(key)] : undefined;
    const found: unknown = Array.isArray(object) ? object[place] : object;
    if (typeof found === 'function') return found as F;
  }
  return undefined;
}

/** Replaces the tensors of an argument by their numbers in `leaves`, to which it adds them. */
function numbered(value: unknown, leaves: unknown[]): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((item) => numbered(item, leaves));
  if (!isRecord(value) || 'class_name' in value) return leaves.push(value) - 1;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, numbered(item, leaves)]));
}

function filled(places: unknown, leaves: readonly unknown[]): unknown {
  if (typeof places === 'number') return leaves[places];
  if (Array.isArray(places)) return places.map((item) => filled(item, leaves));
  if (!isRecord(places)) return places;
  const entries = Object.entries(places);
  return Object.fromEntries(entries.map(([key, item]) => [key, filled(item, leaves)]));
}

/**
 * Replaces the operations that call functions by layers, for which it adds makers. `problems`
 * receives a sentence for each function without a replacement.
 */
export function withFunctionOps<T extends SerializedObject>(
  entry: T,
  objects: Objects,
  makers: Map<string, Maker>,
  problems: string[],
): T {
  if (isFunctionOp(entry)) return layerOf(entry, objects, makers, problems);
  const layers = isRecord(entry.config) ? entry.config['layers'] : undefined;
  if (!Array.isArray(layers)) return entry;
  const replaced = layers.map((layer) =>
    isRecord(layer) ? withFunctionOps(layer as T, objects, makers, problems) : layer,
  );
  return { ...entry, config: { ...entry.config, layers: replaced } };
}

function layerOf<T extends SerializedObject>(
  entry: T,
  objects: Objects,
  makers: Map<string, Maker>,
  problems: string[],
): T {
  const { class_name: className, config } = entry;
  const { name, function: own, ...settings } = config;
  const [node] = listOf(entry['inbound_nodes']);
  const { args, kwargs } = isRecord(node) ? node : {};
  const all = [own, ...listOf(args), ...Object.values(isRecord(kwargs) ? kwargs : {})];
  const given = all.filter((item) => item !== undefined);
  const isFunctions = (item: unknown): boolean => listOf(item).some(isFunction);
  const references = given.filter(isFunctions).flat() as Json[];
  const functions = references.map((reference, i) =>
    replacementOf(textOf(name), i, reference, objects),
  );
  if (functions.length === 0 || functions.includes(undefined)) {
    problems.push(
      `'${textOf(name)}' is the operation ${className} of a Python function, which cannot run here: pass its replacement, loadModel(source, { customObjects: { '${textOf(name)}': ${signatures[className]} } }), written with ops`,
    );
  }
  const leaves: unknown[] = [];
  const places = given.filter((item) => !isFunctions(item)).map((item) => numbered(item, leaves));
  const grouped = (tensors: readonly unknown[]) => filled(places, tensors) as unknown[];
  const call = { className, functions: functions as F[], references, settings, grouped };
  makers.set(textOf(name), () => functionCall(call, { name: textOf(name) }));
  return {
    ...entry,
    module: 'keras.layers',
    config: { name },
    inbound_nodes: [{ args: [leaves], kwargs: {} }],
  };
}

// SPDX-License-Identifier: MIT
import { isBuiltin } from '../../layers/layer_objects.js';
import { hasCustom, isForeign } from '../../layers/registry.js';
import type { SerializedObject } from '../artifact.js';
import { type Context, splitClass } from './context.js';
import { classNameOf, newInput, replacementOf, shapeIn } from './entries.js';
import { isRecord, type Json, textOf } from '../json.js';
import { className1, modeProblem, settings1 } from './keras1.js';
import { mergeLayer } from './merge.js';
import { dtypeName, isReal, toSetting } from './settings.js';

/** What Keras 1 and 2 wrote and Keras 3 does not know, and what changes nothing. */
const kDropped = new Set(
  `
    batch_input_shape input_shape batch_shape input_dtype input_length ragged dynamic implementation
    consume_less cache_enabled time_major weights autocast query_shape key_shape value_shape mode causal
  `
    .trim()
    .split(/\s+/),
);

const nameIn = (entry: Json): string =>
  textOf(isRecord(entry['config']) ? entry['config']['name'] : '') || textOf(entry['name']);

/** A layer that is no model, with what it holds, in Keras 3's form. Its place in a graph is not looked at. */
export function toLayer(entry: Json, context: Context): SerializedObject {
  const { className, registered } = splitClass(entry);
  const given = isRecord(entry['config']) ? entry['config'] : {};
  if (className === 'InputLayer') return inputLayer(given, nameIn(entry), context);
  if (className === 'Merge') return mergeLayer(given, context);
  const today = classNameOf(entry);
  const custom = isCustom(entry, context);
  const config = custom
    ? withLayers(given, context)
    : builtin(className1(className), given, nameIn(entry), context);
  return {
    module: custom ? textOf(entry['module']) || null : 'keras.layers',
    class_name: today,
    config,
    registered_name: registered,
  };
}

// (A class is ours also under the name that Keras has for it now.)
function isCustom(entry: Json, { replaced }: Context): boolean {
  const { className, registered } = splitClass(entry);
  const { module, config } = entry;
  if (!isBuiltin(classNameOf(entry)) || isForeign({ module, registered_name: registered }))
    return true;
  const { name = '' } = isRecord(config) ? config : {};
  return (
    hasCustom(className, module) ||
    [className, registered, name].some((key) => replaced.has(String(key)))
  );
}

function builtin(className: string, given: Json, name: string, context: Context): Json {
  const [today, fixed] = replacementOf(className);
  const problem = className === 'BatchNormalization' ? modeProblem(name, given) : null;
  if (problem) context.problems.push(problem);
  checkTimeMajor(given, name, context);
  const named = settings1(today, given);
  const config: Json = {};
  for (const [key, value] of Object.entries(withLayers(named, context))) {
    if (!kDropped.has(key)) config[key] = toSetting(key, value);
  }
  // Of an Embedding it is the number of ids; elsewhere the size of the input, which is found out.
  if (today !== 'Embedding') delete config['input_dim'];
  if (config['unit_forget_bias'] === null) delete config['unit_forget_bias'];
  if (today === 'GRU' || today === 'GRUCell') config['reset_after'] ??= false;
  dropDtype(config);
  return { ...config, ...fixed };
}

// Where Keras computed in halves or doubles, floats are computed with here.
function dropDtype(config: Json): void {
  const name = dtypeName(config['dtype']);
  if (name === undefined || isReal(name)) delete config['dtype'];
  else config['dtype'] = name;
}

function checkTimeMajor(config: Json, name: string, { problems }: Context): void {
  if (config['time_major'] !== true) return;
  problems.push(
    `'${name}': time_major, where time comes before the batch; give the model [batch, time, features] in Python and save it again`,
  );
}

const kHolders = ['layer', 'backward_layer', 'forward_layer', 'cell', 'cells'];

/** A wrapper's configuration with the layers inside converted. */
function withLayers(config: Json, context: Context): Json {
  const result = { ...config };
  for (const key of kHolders) {
    const value = config[key];
    const convert = (item: unknown): unknown =>
      isRecord(item) && 'class_name' in item ? context.convert(item) : item;
    if (value !== undefined)
      result[key] = Array.isArray(value) ? value.map(convert) : convert(value);
  }
  return result;
}

function inputLayer(config: Json, name: string, { problems }: Context): SerializedObject {
  for (const kind of ['sparse', 'ragged']) {
    if (config[kind] !== true) continue;
    problems.push(`'${name}': ${kind} inputs; pad the sequences and mask them`);
  }
  return newInput(
    name,
    shapeIn(config),
    dtypeName(config['dtype'] ?? config['input_dtype']) ?? 'float32',
  );
}

// SPDX-License-Identifier: MIT
// Single layers of Keras 1 and 2: names, settings and sublayers. graph.ts and sequential.ts convert
// the calls.
import { isBuiltin } from '../../layers/layer_objects.js';
import { hasCustom, isForeign } from '../../layers/registry.js';
import type { SerializedObject } from '../artifact.js';
import { type Context, splitClass } from './context.js';
import { classNameOf, newInput, replacementOf, shapeIn } from './entries.js';
import { isRecord, type Json, textOf } from '../json.js';
import { keras1ClassName, modeProblem, renameSettings } from './keras1.js';
import { mergeLayer } from './merge.js';
import { dtypeName, isFloatDtype, toSetting } from './settings.js';

/** Settings of Keras 1 and 2 that Keras 3 lacks or that have no effect. */
const kDropped = new Set(
  `
    batch_input_shape input_shape batch_shape batchInputShape inputShape batchShape batchSize
    input_dtype input_length ragged dynamic implementation
    consume_less cache_enabled time_major weights autocast query_shape key_shape value_shape mode causal
  `
    .trim()
    .split(/\s+/),
);

const nameIn = (entry: Json): string =>
  textOf(isRecord(entry['config']) ? entry['config']['name'] : '') || textOf(entry['name']);

/** Converts a layer with its sublayers to Keras 3's form, without its calls in a graph. */
export function toLayer(entry: Json, context: Context): SerializedObject {
  const { className, registered } = splitClass(entry);
  const settings = isRecord(entry['config']) ? entry['config'] : {};
  if (className === 'InputLayer') return inputLayer(settings, nameIn(entry), context);
  if (className === 'Merge') return mergeLayer(settings, context);
  const isUserDefined = isCustom(entry, context);
  const config = isUserDefined
    ? convertSublayers(settings, context)
    : builtinConfig(keras1ClassName(className), settings, nameIn(entry), context);
  return {
    module: isUserDefined ? textOf(entry['module']) || null : 'keras.layers',
    class_name: classNameOf(entry),
    config,
    registered_name: registered,
  };
}

/**
 * Returns whether the class is user-defined. Built-in classes may have their old or today's name.
 */
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

function builtinConfig(className: string, settings: Json, name: string, context: Context): Json {
  const [newName, fixed] = replacementOf(className);
  const problem = className === 'BatchNormalization' ? modeProblem(name, settings) : null;
  if (problem) context.problems.push(problem);
  checkTimeMajor(settings, name, context);
  const renamed = renameSettings(newName, settings);
  const config: Json = {};
  const own = newName === 'RNN' ? withoutCellSettings(renamed) : renamed;
  for (const [key, value] of Object.entries(convertSublayers(own, context))) {
    if (!kDropped.has(key) && !isAbsent(key, value)) config[key] = toSetting(key, value);
  }
  // The number of ids of an Embedding; for others the size of the input, which Keras 3 infers.
  if (newName !== 'Embedding') delete config['input_dim'];
  if (newName === 'GRU' || newName === 'GRUCell') config['reset_after'] ??= false;
  // An old Embedding has the dtype of its ids.
  if (newName === 'Embedding') delete config['dtype'];
  dropDtype(config);
  return { ...config, ...fixed };
}

/** Returns whether a setting is null because a program of TF.js left it out. */
const isAbsent = (key: string, value: unknown): boolean =>
  value === null && !/^merge_mode$|(activation|initializer|regularizer|constraint)$/.test(key);

/** Settings of RNN itself; TF.js writes those of its cell, too, beside `cell`. */
const kOfRnn = new Set(
  `
    name trainable dtype cell return_sequences return_state go_backwards stateful unroll
    zero_output_for_mask num_constants
  `
    .trim()
    .split(/\s+/),
);

/** Removes the settings that an RNN repeats from its cell. */
function withoutCellSettings(config: Json): Json {
  const { cell } = config;
  const repeated = isRecord(cell) && isRecord(cell['config']) ? cell['config'] : {};
  return Object.fromEntries(
    Object.entries(config).filter(([key]) => kOfRnn.has(key) || !(key in repeated)),
  );
}

/** Removes float dtypes: layers here compute in float32 in place of half and double floats. */
function dropDtype(config: Json): void {
  const name = dtypeName(config['dtype']);
  if (name === undefined || isFloatDtype(name)) delete config['dtype'];
  else config['dtype'] = name;
}

function checkTimeMajor(config: Json, name: string, { problems }: Context): void {
  if (config['time_major'] !== true) return;
  problems.push(
    `'${name}': time_major, with time before the batch; change the model to [batch, time, features] in Python and save it again`,
  );
}

/** Settings that contain layers. */
const kSublayerKeys = ['layer', 'backward_layer', 'forward_layer', 'cell', 'cells'];

/** Converts the layers in the settings of a wrapper. */
function convertSublayers(config: Json, context: Context): Json {
  const result = { ...config };
  for (const key of kSublayerKeys) {
    const value = config[key];
    const convert = (item: unknown): unknown =>
      isRecord(item) && 'class_name' in item ? context.convert(item) : item;
    if (value !== undefined)
      result[key] = Array.isArray(value) ? value.map(convert) : convert(value);
  }
  return result;
}

function inputLayer(config: Json, name: string, { problems }: Context): SerializedObject {
  if (config['sparse'] === true)
    problems.push(`'${name}': sparse inputs; pad the sequences and mask them`);
  const input = newInput(
    name,
    shapeIn(config),
    dtypeName(config['dtype'] ?? config['input_dtype']) ?? 'float32',
  );
  return config['ragged'] === true
    ? { ...input, config: { ...input.config, ragged: true } }
    : input;
}

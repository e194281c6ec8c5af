// SPDX-License-Identifier: MIT
// TensorFlow ops between the layers of a graph of Keras 2.
import type { SerializedObject } from '../artifact.js';
import { type Context, splitClass } from './context.js';
import { plainCall } from './graph_calls.js';
import type { CallNumbers } from './graph_numbers.js';
import { isSymbol, symbol } from './graph_symbols.js';
import { isRecord, type Json, listOf, lookUp, textOf } from '../json.js';
import { functionNamed, isHarmless, withDefaults } from './tf_functions.js';
import { nodeCall, type TensorFlowCall } from './tf_op_layer.js';

const kClasses = new Set([
  'TFOpLambda',
  'SlicingOpLambda',
  'TensorFlowOpLayer',
  'ClassMethod',
  'InstanceMethod',
]);

/** Returns whether the entry is a TensorFlow op. */
export const isTensorFlowOp = (entry: Json): boolean => kClasses.has(splitClass(entry).className);

const operation = (className: string, name: string, inbound: unknown[]): SerializedObject => ({
  module: 'keras.src.ops.numpy',
  class_name: className,
  config: { name },
  registered_name: className,
  name,
  inbound_nodes: inbound,
});

/**
 * Converts a TensorFlow op to entries of the graph. An op without a counterpart becomes a layer of
 * the class TFOpLambda whose inputs are all tensors of the call; the caller can replace it by name.
 */
export function toOps(
  name: string,
  entry: Json,
  numbers: CallNumbers,
  context: Context,
): SerializedObject[] {
  const before: SerializedObject[] = [];
  const calls = listOf(entry['inbound_nodes']).map((node) => callOf(entry, node, numbers, context));
  const nodes = calls.map((call, i) => inboundNode({ name, index: i, before }, call));
  const unknown = nodes.find((node) => typeof node === 'string');
  if (unknown !== undefined) return [placeholder(name, unknown, calls)];
  const converted = nodes.filter((node) => typeof node !== 'string');
  const className = converted[0]?.op;
  if (className === undefined) return [];
  const inbound = converted.map(({ call }) => call);
  return [...before, operation(className, name, inbound)];
}

/** Returns a layer that stands for an op without a counterpart. */
function placeholder(
  name: string,
  tensorFlowName: string,
  calls: readonly TensorFlowCall[],
): SerializedObject {
  const inbound = calls.map(({ first, others }) => {
    const tensors = tensorsIn([first, others]);
    return { args: [tensors.length === 1 ? tensors[0] : tensors], kwargs: {} };
  });
  const config = { name, function: tensorFlowName };
  const registered = { module: null, registered_name: null };
  return { class_name: 'TFOpLambda', config, ...registered, name, inbound_nodes: inbound };
}

function tensorsIn(value: unknown): unknown[] {
  if (isSymbol(value)) return [value];
  if (Array.isArray(value)) return value.flatMap(tensorsIn);
  return isRecord(value) ? Object.values(value).flatMap(tensorsIn) : [];
}

function callOf(
  entry: Json,
  node: unknown,
  numbers: CallNumbers,
  { budget }: Context,
): TensorFlowCall {
  const config = isRecord(entry['config']) ? entry['config'] : {};
  const { args, kwargs } = plainCall(node, numbers);
  if (splitClass(entry).className === 'TensorFlowOpLayer') {
    const tensors = args[0];
    return nodeCall(config, Array.isArray(tensors) ? tensors : [tensors], budget);
  }
  const isSlicing = splitClass(entry).className === 'SlicingOpLambda';
  const name = textOf(config['function']) || (isSlicing ? 'getitem' : 'function without a name');
  return { name, first: args[0], others: kwargs };
}

/** A call that is being converted. */
interface Conversion {
  /** Name of the op. */
  name: string;
  /** Index of the call. */
  index: number;
  /** Entries to add before the op. */
  before: SerializedObject[];
}

/** The op and its call; or, as a text, the part without a counterpart. */
function inboundNode(
  conversion: Conversion,
  { name, first, others }: TensorFlowCall,
): { op: string; call: unknown } | string {
  const target = functionNamed(name);
  if (!target) return name;
  const kwargs: Json = {};
  const args = [target.list ? listOf(first) : first];
  for (const [key, value] of Object.entries(others)) {
    const operand = target.operands.indexOf(key);
    const setting = lookUp(target.settings, key);
    if (operand >= 0) args[operand + 1] = value;
    else if (value === null || kTransposes.includes(key)) continue;
    else if (setting === undefined) {
      if (!isHarmless(key, value)) return `${name} with ${key} ${JSON.stringify(value)}`;
    } else {
      if (tensorsIn(value).length > 0) return `${name} with a computed ${key}`;
      kwargs[setting] = settingValue(setting, value);
    }
  }
  kTransposes.forEach((key, i) => {
    if (others[key] === true) args[i] = transpose(conversion, key, args[i]);
  });
  if (args.length <= target.operands.length || args.includes(undefined)) {
    return `${name} without ${target.operands.join(', ')}`;
  }
  return { op: target.op, call: { args, kwargs: withDefaults(target.op, kwargs) } };
}

const kTransposes = ['transpose_a', 'transpose_b'];

/** Adds an op that swaps the last two axes of an operand. */
function transpose(
  { name, index, before }: Conversion,
  argument: string,
  tensor: unknown,
): unknown {
  const opName = `${name}/${argument}_${index}`;
  const call = { args: [tensor], kwargs: { axis1: -1, axis2: -2 } };
  before.push(operation('Swapaxes', opName, [call]));
  return symbol(opName);
}

const kDtypes: { [name: string]: string } = {
  float16: 'float32',
  float64: 'float32',
  bfloat16: 'float32',
  int64: 'int32',
  uint8: 'int32',
};

function settingValue(setting: string, value: unknown): unknown {
  if (setting === 'dtype') return lookUp(kDtypes, textOf(value)) ?? value;
  // TensorFlow has the sizes of the parts, Keras the indices between them.
  if (setting === 'indices_or_sections' && Array.isArray(value)) {
    let sum = 0;
    return value.slice(0, -1).map((size) => (sum += Number(size)));
  }
  if (setting === 'key') return listOf(value).map(sliceItem);
  return value;
}

function sliceItem(item: unknown): unknown {
  if (!isRecord(item) || 'class_name' in item) return item;
  const { start = null, stop = null, step = null } = item;
  return { class_name: '__slice__', config: { start, stop, step } };
}

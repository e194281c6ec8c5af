// SPDX-License-Identifier: MIT
// Ops of TensorFlow that stand between the layers of a graph of Keras 2.
import type { SerializedObject } from '../artifact.js';
import { type Context, splitClass } from './context.js';
import { plainCall } from './graph_calls.js';
import type { Renumbered } from './graph_numbers.js';
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
 * The entries of the graph that do what one of TensorFlow's ops did. What has no counterpart stays a layer, of the class TFOpLambda,
 * that takes all tensors of the call: a replacement can be given for it by name.
 */
export function toOps(
  name: string,
  entry: Json,
  numbers: Renumbered,
  context: Context,
): SerializedObject[] {
  const made: SerializedObject[] = [];
  const calls = listOf(entry['inbound_nodes']).map((node) => callOf(entry, node, numbers, context));
  const nodes = calls.map((call, i) => inboundNode({ name, place: i, made }, call));
  const unknown = nodes.find((node) => typeof node === 'string');
  if (unknown !== undefined) return [standIn(name, unknown, calls)];
  const known = nodes.filter((node) => typeof node !== 'string');
  const className = known[0]?.op;
  if (className === undefined) return [];
  const inbound = known.map(({ call }) => call);
  return [...made, operation(className, name, inbound)];
}

function standIn(name: string, what: string, calls: readonly TensorFlowCall[]): SerializedObject {
  const inbound = calls.map(({ first, further }) => {
    const tensors = tensorsIn([first, further]);
    return { args: [tensors.length === 1 ? tensors[0] : tensors], kwargs: {} };
  });
  const config = { name, function: what };
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
  numbers: Renumbered,
  { budget }: Context,
): TensorFlowCall {
  const config = isRecord(entry['config']) ? entry['config'] : {};
  const { args, kwargs } = plainCall(node, numbers);
  if (splitClass(entry).className === 'TensorFlowOpLayer') {
    const tensors = args[0];
    return nodeCall(config, Array.isArray(tensors) ? tensors : [tensors], budget);
  }
  const slicing = splitClass(entry).className === 'SlicingOpLambda';
  const name = textOf(config['function']) || (slicing ? 'getitem' : 'function without a name');
  return { name, first: args[0], further: kwargs };
}

interface Place {
  name: string;
  place: number;
  /** Entries that have to come before the op. */
  made: SerializedObject[];
}

/** The call of the op, or what of it has no counterpart. */
function inboundNode(
  at: Place,
  { name, first, further }: TensorFlowCall,
): { op: string; call: unknown } | string {
  const known = functionNamed(name);
  if (!known) return name;
  const kwargs: Json = {};
  const args = [known.list ? listOf(first) : first];
  for (const [key, value] of Object.entries(further)) {
    const operand = known.operands.indexOf(key);
    const setting = lookUp(known.settings, key);
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
    if (further[key] === true) args[i] = swapped(at, key, args[i]);
  });
  if (args.length <= known.operands.length || args.includes(undefined)) {
    return `${name} without ${known.operands.join(', ')}`;
  }
  return { op: known.op, call: { args, kwargs: withDefaults(known.op, kwargs) } };
}

const kTransposes = ['transpose_a', 'transpose_b'];

function swapped({ name, place, made }: Place, which: string, tensor: unknown): unknown {
  const own = `${name}/${which}_${place}`;
  made.push(operation('Swapaxes', own, [{ args: [tensor], kwargs: { axis1: -1, axis2: -2 } }]));
  return symbol(own);
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
  // TensorFlow says the sizes of the parts, Keras where to cut.
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

// SPDX-License-Identifier: MIT
// Ops of TensorFlow that stand between the layers of a graph of Keras 2.
import type { SerializedObject } from '../artifact.js';
import { type Context, splitClass } from './context.js';
import { plainCall } from './graph_calls.js';
import type { Renumbered } from './graph_numbers.js';
import { isSymbol, symbol } from './graph_symbols.js';
import { isRecord, type Json, listOf, textOf } from './json.js';
import { functionNamed, kHarmless, withDefaults } from './tf_functions.js';
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

/** The entries of the graph that do what one of TensorFlow's ops did; none, and a problem, when it is not known. */
export function toOps(
  name: string,
  entry: Json,
  numbers: Renumbered,
  context: Context,
): SerializedObject[] {
  const made: SerializedObject[] = [];
  const nodes = listOf(entry['inbound_nodes']).map((node, i) => {
    const call = callOf(entry, node, numbers);
    if (typeof call === 'string') return notKnown(name, call, context);
    return inboundNode({ name, place: i, made }, call, context);
  });
  const className = nodes.find((node) => node !== null)?.op;
  if (className === undefined) return [];
  return [
    ...made,
    operation(
      className,
      name,
      nodes.map((node) => node?.call),
    ),
  ];
}

function notKnown(name: string, what: string, { problems }: Context): null {
  const sentence = `'${name}': TensorFlow's ${what}, which has no counterpart here; put a layer of Keras in its place in Python`;
  if (!problems.includes(sentence)) problems.push(sentence);
  return null;
}

function callOf(entry: Json, node: unknown, numbers: Renumbered): TensorFlowCall | string {
  const config = isRecord(entry['config']) ? entry['config'] : {};
  const { args, kwargs } = plainCall(node, numbers);
  if (splitClass(entry).className === 'TensorFlowOpLayer') {
    const tensors = args[0];
    return nodeCall(config, Array.isArray(tensors) ? tensors : [tensors]);
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

function inboundNode(
  at: Place,
  { name, first, further }: TensorFlowCall,
  context: Context,
): { op: string; call: unknown } | null {
  const known = functionNamed(name);
  if (!known) return notKnown(at.name, name, context);
  const kwargs: Json = {};
  const args = [known.list ? listOf(first) : first];
  const transposed = new Set<string>();
  for (const [key, value] of Object.entries(further)) {
    const operand = known.operands.indexOf(key);
    const setting = known.settings[key];
    if (operand >= 0) args[operand + 1] = value;
    else if (key === 'transpose_a' || key === 'transpose_b') {
      if (value === true) transposed.add(key);
    } else if (setting === undefined) {
      const fine = kHarmless[key];
      const changes = value !== null && (!fine || (fine.length > 0 && !fine.includes(value)));
      if (changes)
        return notKnown(at.name, `${name} with ${key} ${JSON.stringify(value)}`, context);
    } else if (value !== null) {
      if (holdsTensor(value)) return notKnown(at.name, `${name} with a computed ${key}`, context);
      kwargs[setting] = settingValue(setting, value);
    }
  }
  if (transposed.has('transpose_a')) args[0] = swapped(at, 'a', args[0]);
  if (transposed.has('transpose_b')) args[1] = swapped(at, 'b', args[1]);
  if (args.length <= known.operands.length || args.includes(undefined)) {
    return notKnown(at.name, `${name} without ${known.operands.join(', ')}`, context);
  }
  return { op: known.op, call: { args, kwargs: withDefaults(known.op, kwargs) } };
}

const holdsTensor = (value: unknown): boolean =>
  isSymbol(value) ||
  (Array.isArray(value)
    ? value.some(holdsTensor)
    : isRecord(value) && Object.values(value).some(holdsTensor));

function swapped({ name, place, made }: Place, which: string, tensor: unknown): unknown {
  const own = `${name}/transpose_${which}_${place}`;
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
  if (setting === 'dtype') return kDtypes[String(value)] ?? value;
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

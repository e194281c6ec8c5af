// SPDX-License-Identifier: MIT
// Calls in graphs of Keras 1 and 2, whose nested lists become arguments by position and by name.
import type { Context } from './context.js';
import { isRecurrent } from './entries.js';
import type { CallNumbers } from './graph_numbers.js';
import { attachedMask, isOldConstant, isOldTensor, isSymbol, symbol } from './graph_symbols.js';
import { isRecord, type Json } from '../json.js';

/** A call of a layer or op in Keras 3's form. */
export interface Call {
  args: unknown[];
  kwargs: Json;
}

const kMerges = new Set(
  'Add Subtract Multiply Average Maximum Minimum Concatenate Dot Attention AdditiveAttention'.split(
    ' ',
  ),
);

/** Converts a call of Keras 1 or 2: a list of tensors, each with the further arguments. */
export function toCall(
  node: unknown,
  entry: Json,
  className: string,
  numbers: CallNumbers,
  context: Context,
): Call {
  if (isRecord(node) && 'args' in node) return node as unknown as Call;
  const call = plainCall(node, numbers, kMerges.has(className));
  const settings = isRecord(entry['config']) ? entry['config'] : {};
  if (isRecurrent(className)) return recurrentCall(call, settings, context);
  if (settings['causal'] === true && !('use_causal_mask' in call.kwargs)) {
    call.kwargs['use_causal_mask'] = true;
  }
  return call;
}

/** Converts a call without special cases. A single tensor is not a list unless `list` is set. */
export function plainCall(node: unknown, numbers: CallNumbers, list = false): Call {
  const kwargs: Json = {};
  const first = convertTensors(node, numbers, kwargs);
  const isSingle = Array.isArray(first) && first.length === 1 && !list && !isOldConstant(node);
  const call: Call = { args: [isSingle ? first[0] : first], kwargs: {} };
  for (const [key, value] of Object.entries(kwargs)) {
    if (key !== 'name') call.kwargs[key] = convertArgument(value, numbers);
  }
  return call;
}

/** Converts the first argument; adds the further arguments to `kwargs`. */
function convertTensors(node: unknown, numbers: CallNumbers, kwargs: Json): unknown {
  if (isOldConstant(node) || isOldTensor(node)) {
    const others = node[3];
    if (isRecord(others)) Object.assign(kwargs, others);
    return isOldConstant(node) ? node[2] : symbol(node[0], numbers(node[0], node[1]), node[2]);
  }
  if (Array.isArray(node)) return node.map((item) => convertTensors(item, numbers, kwargs));
  if (!isRecord(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, item]) => [key, convertTensors(item, numbers, kwargs)]),
  );
}

/** Converts a further argument, whose tensors have no arguments. */
function convertArgument(value: unknown, numbers: CallNumbers): unknown {
  if (isOldTensor(value) && value.length === 3) {
    return symbol(value[0], numbers(value[0], value[1]), value[2]);
  }
  if (Array.isArray(value)) return value.map((item) => convertArgument(item, numbers));
  if (!isRecord(value) || isSymbol(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, convertArgument(item, numbers)]),
  );
}

/**
 * Converts a call of a recurrent layer. In Keras 2, states are further inputs, and constants the
 * last ones. Its layers use the mask of the sequence in any case; Keras 3 does not if there is an
 * initial state, so the mask becomes an argument.
 */
function recurrentCall({ args, kwargs }: Call, settings: Json, context: Context): Call {
  const [first] = args;
  const inputs = Array.isArray(first) ? first : [first];
  if (Number(settings['num_constants'] ?? 0) > 0 || (kwargs['constants'] ?? null) !== null) {
    context.problems.push(
      `'${settings['name']}': constants of a recurrent cell (num_constants ${settings['num_constants']}) are not supported; write the layer as a class and pass it in customObjects`,
    );
  }
  const [sequence, ...states] = inputs;
  if (states.length > 0) kwargs['initial_state'] = states;
  if ((kwargs['initial_state'] ?? null) === null) return { args: [sequence], kwargs };
  if ((kwargs['mask'] ?? null) === null) kwargs['mask'] = attachedMask(sequence);
  return { args: [sequence], kwargs };
}

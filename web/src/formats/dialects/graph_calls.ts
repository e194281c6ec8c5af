// SPDX-License-Identifier: MIT
import type { Context } from './context.js';
import { isRecurrent } from './entries.js';
import type { Renumbered } from './graph_numbers.js';
import { attachedMask, isOldConstant, isOldTensor, isSymbol, symbol } from './graph_symbols.js';
import { isRecord, type Json } from '../json.js';

/** One call of a layer or op, in Keras 3's form. */
export interface Call {
  args: unknown[];
  kwargs: Json;
}

const kMerges = new Set(
  'Add Subtract Multiply Average Maximum Minimum Concatenate Dot Attention AdditiveAttention'.split(
    ' ',
  ),
);

/** A call as Keras 1 and 2 write it: a list of tensors, the further arguments hung on each of them. */
export function toCall(
  node: unknown,
  entry: Json,
  className: string,
  numbers: Renumbered,
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

/** The first argument, alone unless there are several (or `list` is set), and the others by name. */
export function plainCall(node: unknown, numbers: Renumbered, list = false): Call {
  const kwargs: Json = {};
  const first = tensors(node, numbers, kwargs);
  const alone = Array.isArray(first) && first.length === 1 && !list && !isOldConstant(node);
  const call: Call = { args: [alone ? first[0] : first], kwargs: {} };
  for (const [key, value] of Object.entries(kwargs)) {
    if (key !== 'name') call.kwargs[key] = argument(value, numbers);
  }
  return call;
}

function tensors(node: unknown, numbers: Renumbered, kwargs: Json): unknown {
  if (isOldConstant(node) || isOldTensor(node)) {
    const further = node[3];
    if (isRecord(further)) Object.assign(kwargs, further);
    return isOldConstant(node) ? node[2] : symbol(node[0], numbers(node[0], node[1]), node[2]);
  }
  if (Array.isArray(node)) return node.map((item) => tensors(item, numbers, kwargs));
  if (!isRecord(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, item]) => [key, tensors(item, numbers, kwargs)]),
  );
}

// Tensors among further arguments have no arguments of their own.
function argument(value: unknown, numbers: Renumbered): unknown {
  if (isOldTensor(value) && value.length === 3) {
    return symbol(value[0], numbers(value[0], value[1]), value[2]);
  }
  if (Array.isArray(value)) return value.map((item) => argument(item, numbers));
  if (!isRecord(value) || isSymbol(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, argument(item, numbers)]),
  );
}

/**
 * Keras 2 hands the states over as further inputs, constants last. Its layers use the mask of the sequence all the same, which
 * Keras 3 does not when there is an initial state: it is named here.
 */
function recurrentCall({ args, kwargs }: Call, settings: Json, context: Context): Call {
  const [first] = args;
  const inputs = Array.isArray(first) ? first : [first];
  if (Number(settings['num_constants'] ?? 0) > 0 || (kwargs['constants'] ?? null) !== null) {
    context.problems.push(
      `'${settings['name']}': constants handed to a recurrent cell (num_constants ${settings['num_constants']}), which cells here do not take`,
    );
  }
  const [sequence, ...states] = inputs;
  if (states.length > 0) kwargs['initial_state'] = states;
  if ((kwargs['initial_state'] ?? null) === null) return { args: [sequence], kwargs };
  if ((kwargs['mask'] ?? null) === null) kwargs['mask'] = attachedMask(sequence);
  return { args: [sequence], kwargs };
}

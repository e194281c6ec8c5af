// SPDX-License-Identifier: MIT
// Members of tensors, layers, models and histories.
import { withoutValue } from './absent.js';
import type { Attr } from './ast.js';
import { type Code, called, level, type Port, within } from './context.js';
import { camel } from './identifiers.js';
import type { Doc } from './print.js';
import { isLayer, isTensor, listOf, memberKey, tensor, type Type } from './types.js';

const shapes = new Set(['shape', 'input_shape', 'output_shape', 'get_shape']);
const layerMembers: { readonly [name: string]: Type } = {
  output: tensor,
  input: tensor,
  inputs: listOf(tensor),
  outputs: listOf(tensor),
  layers: listOf({ k: 'layer' }),
  // Descriptions with name and shape; the variables are in trainableVariables.
  weights: listOf({ k: 'weight' }),
  trainable_variables: listOf({ k: 'variable' }),
  trainable_weights: listOf({ k: 'variable' }),
  non_trainable_variables: listOf({ k: 'variable' }),
  non_trainable_weights: listOf({ k: 'variable' }),
  variables: listOf({ k: 'variable' }),
  losses: listOf(tensor),
  states: listOf(tensor),
  metrics: listOf({ k: 'metric' }),
  optimizer: { k: 'optimizer' },
  forward_layer: { k: 'layer' },
  backward_layer: { k: 'layer' },
  cell: { k: 'layer' },
  layer: { k: 'layer' },
  kernel: { k: 'variable' },
  bias: { k: 'variable' },
  trainable: { k: 'bool' },
  name: { k: 'str' },
  learning_rate: { k: 'num' },
};

/** Throws Absent for a member whose statement is a comment, in a class or what it extends. */
export function requireMember(port: Port, node: Attr, type: Type | null): void {
  const { members } = port.memory;
  let each = type;
  while (each?.k === 'object' && each.info.parent && !members.has(memberKey(each, node)))
    each = { k: 'object', info: each.info.parent };
  if (members.get(memberKey(each, node)) !== false) return;
  const { value, name } = node;
  throw withoutValue(value.kind === 'name' ? `${value.id}.${name}` : name, node.at);
}

/** Returns whether a value cannot be a layer or model. */
const isOwn = (type: Type | null): boolean =>
  isTensor(type) || type?.k === 'dict' || type?.k === 'list';

/** Members of values of the package and of Python. */
export function known(port: Port, node: Attr, owner: Code, target: Doc): Code {
  const { type } = owner;
  const { name } = node;
  if (name === '_keras_mask') return called([target, '.mask'], tensor);
  if (name === 'T' && isTensor(type))
    return called([`${port.name('ops')}.transpose(`, owner.doc, ')'], tensor);
  if (shapes.has(name))
    return called([target, `.${camel(name)}`], listOf({ k: 'num', isInt: true }));
  if (name === 'ndim' && isTensor(type))
    return called([target, '.rank'], { k: 'num', isInt: true });
  if (name === 'size' && isTensor(type))
    return called([target, '.size'], { k: 'num', isInt: true });
  if (name === 'weights' && port.memory.hasWeights.value && !isOwn(type)) {
    port.needsTraining = true;
    const variables = [`${port.helper('variablesOf')}(`, owner.doc, ')'];
    return called(variables, listOf({ k: 'variable' }));
  }
  if (name === 'value' && type?.k === 'variable') return called([target, '.value'], tensor);
  if (name === 'history' && (type?.k === 'history' || !type)) {
    const last: Type = { k: 'dict', item: listOf({ k: 'num' }) };
    return called([target, '.history'], last);
  }
  if (name === 'epoch' && type?.k === 'history')
    return called([target, '.epoch'], listOf({ k: 'num', isInt: true }));
  if (name === '__name__' && node.value.kind === 'attr' && node.value.name === '__class__') {
    const object_ = port.expr(node.value.value);
    if (isLayer(object_.type))
      return called([within(object_, level.call), '.className'], { k: 'str' });
  }
  if (name === '__name__') return called([target, '.name'], { k: 'str' });
  if (name === '__class__') return called([target, '.constructor'], null);
  if (name === 'lr' && type?.k === 'optimizer')
    return called([target, '.learningRate'], { k: 'num' });
  if (/^(word_index|word_counts|word_docs|index_word|index_docs)$/.test(name))
    return called([target, `.${camel(name)}`], { k: 'dict', item: null });
  const member = Object.hasOwn(layerMembers, name) ? layerMembers[name] : undefined;
  const isOwner =
    isLayer(type) ||
    type?.k === 'optimizer' ||
    !type ||
    type.k === 'any' ||
    type.k === 'metric' ||
    type.k === 'callback' ||
    type.k === 'object' ||
    type.k === 'variable';
  if (name === 'model' && type?.k === 'object' && type.info.base === 'Callback')
    return called([target, '.model'], { k: 'model' });
  return called([target, `.${camel(name)}`], isOwner ? (member ?? null) : null);
}

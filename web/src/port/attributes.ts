// SPDX-License-Identifier: MIT
// Attributes: of objects and classes of the program, of libraries, and of `super()`.
import type { Attr } from './ast.js';
import { isSuper, libraryValue, superInfo } from './calls.js';
import { type Code, called, level, type Port, within } from './context.js';
import { camel } from './identifiers.js';
import { known, requireMember } from './members.js';
import { attributeOf, findMethod, tensor } from './types.js';

/** `lstm.cell.kernel`: the weights of a cell are those of its layer here. */
function ofCell(port: Port, { value, name }: Attr): Code | null {
  if (value.kind !== 'attr' || value.name !== 'cell') return null;
  const layer = port.expr(value.value);
  const isOwn = layer.type?.k === 'layer' && /^(LSTM|GRU|SimpleRNN)$/.test(layer.type.name ?? '');
  if (!isOwn || !/kernel$|^bias$/.test(name)) return null;
  return called([within(layer, level.call), `.${camel(name)}`], { k: 'variable' });
}

/** Translates an attribute. */
export function attribute(port: Port, node: Attr): Code {
  if (isSuper(node)) {
    superInfo(port, node.at);
    return called(`super.${camel(node.name)}`);
  }
  if (node.name === 'shape') port.admit(node.value, tensor);
  const owner = port.expr(node.value);
  const { type } = owner;
  if (type?.k === 'lib') return libraryValue(port, `${type.path}.${node.name}`, node.at);
  requireMember(port, node, type);
  const inner = ofCell(port, node);
  if (inner) return inner;
  const target = within(owner, level.call);
  if (type?.k === 'object') {
    const { info } = type;
    const own = attributeOf(info, node.name);
    const method = findMethod(info, node.name);
    if (own) return called([target, `.${camel(node.name)}`], own);
    if (method && info.properties.has(node.name))
      return called([target, `.${camel(node.name)}`], method.result);
    if (method) return called([target, `.${camel(node.name)}`], { k: 'fn', fn: method });
  }
  return known(port, node, owner, target);
}

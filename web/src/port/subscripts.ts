// SPDX-License-Identifier: MIT
// Subscripts and slices of tensors, lists, texts and dictionaries.
import type { Expr, Slice, Sub } from './ast.js';
import { type Code, called, level, type Port, within } from './context.js';
import { entry } from './settings.js';
import { isKey } from './identifiers.js';
import { type Doc, list, object } from './print.js';
import { any, int, isTensor, itemOf, listOf, tensor, type Type } from './types.js';

/** Returns the number of `-1` or `3`; undefined for other expressions. */
export function literal(node: Expr | null): number | undefined {
  if (node?.kind === 'num') return Number(node.text.replaceAll('_', ''));
  if (node?.kind === 'unary' && node.op === '-' && node.value.kind === 'num') {
    return -Number(node.value.text.replaceAll('_', ''));
  }
  return undefined;
}

const number = (port: Port, node: Expr): Doc => {
  const value = port.expr(node);
  return isTensor(value.type) ? [within(value, level.call), '.item()'] : within(value, 1);
};

/** Writes one key of `getItem`. */
function key(port: Port, node: Expr): Doc {
  if (node.kind === 'slice') {
    const entries: Doc[] = [];
    if (node.lower) entries.push(entry('start', number(port, node.lower)));
    if (node.upper) entries.push(entry('stop', number(port, node.upper)));
    if (node.step) entries.push(entry('step', number(port, node.step)));
    return object(entries);
  }
  if (node.kind === 'const' && node.value === '...') return "'...'";
  if (node.kind === 'const' && node.value === null) return 'null';
  return number(port, node);
}

const isIndexList = (port: Port, node: Expr): boolean => {
  if (node.kind === 'slice' || node.kind === 'const') return false;
  const { type } = port.expr(node);
  return isTensor(type) || type?.k === 'list';
};

/** Selects from a tensor. */
export function ofTensor(port: Port, value: Code, items: readonly Expr[], at: number): Code {
  const target =
    value.type?.k === 'tensor'
      ? value
      : called([`${port.name('ops')}.convertToTensor(`, value.doc, ')'], tensor);
  const lists = items.filter((item) => isIndexList(port, item));
  const [first] = items;
  if (lists.length > 0 && items.length === 1 && first) return taken(port, value, first, at);
  const others = items.filter((item) => !lists.includes(item));
  const isWhole = others.every(
    (item) => item.kind === 'slice' && !item.lower && !item.upper && !item.step,
  );
  if (lists.length === 1 && isWhole) {
    const axis = items.indexOf(lists[0] as Expr);
    const index = port.expr(lists[0] as Expr).doc;
    return called(
      [`${port.name('ops')}.take(`, value.doc, ', ', index, `, { axis: ${axis} })`],
      tensor,
    );
  }
  if (lists.length > 0) {
    // A scalar tensor is an index like a number.
    port.note(
      at,
      'guess',
      'an index that is a tensor is taken for one number; for several use ops.take or ops.where',
    );
  }
  const keys = items.map((item) => key(port, item));
  const isNumber = items.length === 1 && first?.kind !== 'slice' && first?.kind !== 'const';
  return called(
    [within(target, level.call), '.getItem(', isNumber ? (keys[0] as Doc) : list(keys), ')'],
    tensor,
  );
}

/** Selects rows by a list of indices. */
function taken(port: Port, value: Code, index: Expr, at: number): Code {
  if (index.kind === 'compare' || index.kind === 'binary') {
    port.note(at, 'guess', 'a selection by a mask has no fixed size; use ops.where(mask, x, y)');
  }
  const indices = port.expr(index).doc;
  return called([`${port.name('ops')}.take(`, value.doc, ', ', indices, ', { axis: 0 })'], tensor);
}

function ofList(port: Port, value: Code, item: Expr, type: Type | null): Code {
  const object_ = within(value, level.call);
  if (item.kind === 'slice') return sliced(port, value, item);
  const at = literal(item);
  if (at !== undefined && at < 0) return called([object_, `.at(${at})`], type);
  const index = port.expr(item);
  if (isNegated(item)) return called([object_, '.at(', index.doc, ')'], type);
  const doc = isTensor(index.type) ? [within(index, level.call), '.item()'] : index.doc;
  return called([object_, '[', doc, ']'], type);
}

const isNegated = (node: Expr): boolean => node.kind === 'unary' && node.op === '-';

function sliced(port: Port, value: Code, { lower, upper, step, at }: Slice): Code {
  const target = within(value, level.call);
  const by = literal(step);
  if (by === -1 && !lower && !upper) {
    const doc: Doc =
      value.type?.k === 'str'
        ? ['[...', value.doc, "].reverse().join('')"]
        : ['[...', within(value, 1), '].reverse()'];
    return called(doc, value.type);
  }
  const start = lower ? number(port, lower) : '0';
  const args: Doc[] = upper ? [start, ', ', number(port, upper)] : lower ? [start] : [];
  const part = called([target, '.slice(', ...args, ')'], value.type);
  if (!step) return part;
  if (by === undefined || by < 0) {
    port.note(at, 'guess', 'a slice with this step is taken for one with a positive step');
  }
  const chars: Doc = value.type?.k === 'str' ? ['[...', part.doc, ']'] : part.doc;
  const picked: Doc = [chars, '.filter((_, i) => i % ', number(port, step), ' === 0)'];
  return called(value.type?.k === 'str' ? [picked, ".join('')"] : picked, value.type);
}

/** Selects from a dictionary: `d.key` or `d['a key']`. */
export function ofDict(port: Port, value: Code, item: Expr, type: Type | null): Code {
  const object_ = within(value, level.call);
  if (item.kind === 'str' && isKey(item.value)) return called([object_, `.${item.value}`], type);
  return called([object_, '[', port.expr(item).doc, ']'], type);
}

/** Selects an item. In `try`, a missing item is an error, as everywhere in Python. */
export function subscript(port: Port, node: Sub): Code {
  const item = selected(port, node);
  const [first] = node.items;
  const isChecked = port.isTrying && first?.kind !== 'slice' && !isTensor(item.type);
  return isChecked ? called([`${port.helper('existing')}(`, item.doc, ')'], item.type) : item;
}

function selected(port: Port, node: Sub): Code {
  const value = port.expr(node.value);
  const [first] = node.items;
  const { k } = value.type ?? any;
  if (!first) return value;
  const isPlain = node.items.length === 1 && first.kind !== 'const';
  if (k === 'inputs' && isPlain && first.kind !== 'slice')
    return ofList(port, value, first, tensor);
  if (isTensor(value.type))
    return ofTensor(
      port,
      { ...value, type: k === 'variable' ? value.type : tensor },
      node.items,
      node.at,
    );
  if (node.items.length > 1 || first.kind === 'const') {
    return ofTensor(
      port,
      { ...value, type: k === 'any' ? tensor : value.type },
      node.items,
      node.at,
    );
  }
  if (k === 'dict')
    return ofDict(port, value, first, value.type?.k === 'dict' ? value.type.item : null);
  if (k === 'list' || k === 'str') return ofList(port, value, first, itemAt(value.type, first));
  if (first.kind === 'str') return ofDict(port, value, first, null);
  if (first.kind === 'slice')
    port.note(
      node.at,
      'guess',
      'this value is taken for a list; for a tensor write x.getItem([{ start, stop }])',
    );
  if (k === 'any') return ofList(port, value, first, any);
  return ofList(port, value, first, null);
}

function itemAt(type: Type | null, index: Expr): Type | null {
  if (index.kind === 'slice') return type;
  const at = literal(index);
  const items = type?.k === 'list' ? type.items : undefined;
  if (items && at !== undefined) return items.at(at) ?? itemOf(type);
  return itemOf(type);
}

/** Returns the shape of a value as a list of numbers. */
export const shapeOf = (port: Port, value: Code): Code =>
  value.type?.k === 'tensor' || value.type?.k === 'variable' || value.type?.k === 'inputs'
    ? called([within(value, level.call), '.shape'], listOf(int))
    : called([`${port.name('ops')}.shape(`, value.doc, ')'], listOf(int));

/** Returns the length of a value. */
export function lengthOf(value: Code): Code {
  const object_ = within(value, level.call);
  const { k } = value.type ?? any;
  if (k === 'tensor' || k === 'variable') return called([object_, '.shape[0]'], int);
  if (k === 'set') return called([object_, '.size'], int);
  if (k === 'dict') return called(['Object.keys(', value.doc, ').length'], int);
  if (k === 'str' && typeof value.doc === 'string') return called([object_, '.length'], int);
  return called([object_, '.length'], int);
}

/** Writes a shape: a number is a shape of one axis. */
export function shape(port: Port, node: Expr): Doc {
  const value = port.expr(node);
  return value.type?.k === 'num' ? list([within(value, 1)]) : within(value, 1);
}

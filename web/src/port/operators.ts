// SPDX-License-Identifier: MIT
// Operators: of numbers and texts as in JavaScript, of tensors as methods and functions of `ops`.
import type { Binary, Compare, Expr, Field } from './ast.js';
import { type Code, code, called, level, type Port, primary, within } from './context.js';
import { isLibrary } from './local_names.js';
import { list, join as docs, type Doc, whole } from './print.js';
import {
  any,
  bool,
  int,
  isNumber,
  isTensor,
  itemOf,
  join,
  num,
  str,
  tensor,
  type Type,
} from './types.js';

const opNames: { readonly [op: string]: string } = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '**': 'power',
  '%': 'mod',
  '//': 'floorDivide',
  '@': 'matmul',
  '==': 'equal',
  '!=': 'notEqual',
  '<': 'less',
  '<=': 'lessEqual',
  '>': 'greater',
  '>=': 'greaterEqual',
  '&': 'logicalAnd',
  '|': 'logicalOr',
  '^': 'logicalXor',
};

const levels: { readonly [op: string]: number } = {
  '+': level.additive,
  '-': level.additive,
  '*': level.multiplicative,
  '/': level.multiplicative,
  '%': level.multiplicative,
  '**': level.power,
  '&': level.bitAnd,
  '|': level.bitOr,
  '^': level.bitXor,
  '<<': level.shift,
  '>>': level.shift,
};

/** Writes an op on tensors: a method of the first one, or a function of `ops`. */
export function opOf(port: Port, name: string, left: Code, right: Code): Code {
  if (left.type?.k === 'tensor') {
    return called([within(left, level.call), `.${name}(`, within(right, 1), ')'], tensor);
  }
  const head = `${port.name('ops')}.${name}(`;
  return called({ open: head, items: [within(left, 1), within(right, 1)], close: ')' }, tensor);
}

/** Multiplies or adds texts and lists; undefined for other values. */
function ofSequences(port: Port, op: string, left: Code, right: Code): Code | undefined {
  const kinds = [left.type?.k, right.type?.k];
  if (op === '+' && kinds.every((kind) => kind === 'list')) {
    const type = join(left.type, right.type);
    return primary(list([spread(left), spread(right)]), type);
  }
  if (op === '*' && kinds.includes('list') && kinds.includes('num')) {
    const [items, count] = left.type?.k === 'list' ? [left, right] : [right, left];
    const length = ['{ length: ', within(count, 1), ' }'];
    return called(['Array.from(', length, ', () => ', within(items, 1), ').flat()'], items.type);
  }
  if (op === '*' && kinds.includes('str') && kinds.includes('num')) {
    const [text, count] = left.type?.k === 'str' ? [left, right] : [right, left];
    return called([within(text, level.call), '.repeat(', within(count, 1), ')'], str);
  }
  if (kinds[0] === 'set' && kinds[1] === 'set') return ofSets(op, left, right);
  if (op === '%' && kinds[0] === 'str') {
    port.note(0, 'guess', 'a text formatted with % is not translated; use an f-string');
  }
  return undefined;
}

function ofSets(op: string, left: Code, right: Code): Code | undefined {
  const has = (set: Code): Doc => [within(set, level.call), '.has(x)'];
  const [a, b] = [spread(left), spread(right)];
  if (op === '|') return primary(['new Set([', a, ', ', b, '])'], left.type);
  if (op === '&') return primary(['new Set([', a, '].filter((x) => ', has(right), '))'], left.type);
  if (op === '-')
    return primary(['new Set([', a, '].filter((x) => !', has(right), '))'], left.type);
  return undefined;
}

const spread = (value: Code): Doc => {
  const inner = value.doc;
  if (typeof inner === 'object' && 'open' in inner && inner.open === '[')
    return docs(inner.items, ', ');
  return ['...', within(value, 1)];
};

/** A list of tensors is joined with others, never added. */
const isTensorList = (type: Type | null): boolean => type?.k === 'list' && isTensor(type.item);
const isList = (type: Type | null): boolean => type?.k === 'list';

/** Chooses the form of `left op right`. */
export function operate(port: Port, op: string, left: Code, right: Code, at: number): Code {
  const [a, b] = [left.type, right.type];
  if (op === '@') return opOf(port, 'matmul', left, right);
  const name = opNames[op];
  if (op === '+' && (isTensorList(a) || isTensorList(b))) {
    return primary(list([spread(left), spread(right)]), { k: 'list', item: tensor });
  }
  if ((isTensor(a) || isTensor(b)) && name && a?.k !== 'str') return opOf(port, name, left, right);
  const sequence = ofSequences(port, op, left, right);
  if (sequence) return sequence;
  if (isList(a) && isList(b) && name) return opOf(port, name, left, right);
  const isKnown = (isNumber(a) && isNumber(b)) || a?.k === 'str' || b?.k === 'str';
  if (!isKnown && (a?.k === 'any' || b?.k === 'any' || (!a && !b))) {
    port.note(
      at,
      'guess',
      `the operands of ${op} are taken for numbers; for tensors write ops.${name}(a, b)`,
    );
  }
  return ofNumbers(port, op, left, right);
}

function ofNumbers(port: Port, op: string, left: Code, right: Code): Code {
  const [a, b] = [left.type, right.type];
  const isInt = isIntType(a) && isIntType(b);
  if (op === '//') {
    const quotient = [
      within(left, level.multiplicative),
      ' / ',
      within(right, level.multiplicative + 1),
    ];
    return called(['Math.floor(', ...quotient, ')'], num);
  }
  if (op === '%' && !(isInt && isPositive(left) && isPositive(right))) {
    return remainder(port, left, right);
  }
  const own = levels[op] ?? level.additive;
  if (op === '**') {
    return code(
      [within(left, level.unary + 1), ' ** ', within(right, level.power)],
      own,
      isInt ? int : num,
    );
  }
  const type = a?.k === 'str' || b?.k === 'str' ? str : isInt && op !== '/' ? int : num;
  return code([within(left, own), ` ${op} `, within(right, own + 1)], own, type);
}

const isIntType = (type: Type | null): boolean => type?.k === 'num' && type.isInt === true;
const isPositive = ({ doc }: Code): boolean => /^\d+$|\.length$|\.size$/.test(whole(doc));

/** Writes Python's remainder, which has the sign of the divisor. */
export function remainder(port: Port, left: Code, right: Code): Code {
  const type = isIntType(left.type) && isIntType(right.type) ? int : num;
  const items = [within(left, 1), within(right, 1)];
  return called({ open: `${port.helper('mod')}(`, items, close: ')' }, type);
}

export function binary(port: Port, node: Binary): Code {
  if (node.op === 'and' || node.op === 'or') {
    const own = node.op === 'and' ? level.and : level.or;
    const [left, right] = [logical(port, node.left), port.expr(node.right)];
    const symbol = node.op === 'and' ? ' && ' : ' || ';
    const doc: Doc = [within(left, own), symbol, within(right, own + 1)];
    return code(doc, own, join(left.type, right.type));
  }
  const [left, right] = [port.expr(node.left), port.expr(node.right)];
  if (node.op === '%' && left.type?.k === 'str') return percent(port, node, left, right);
  return operate(port, node.op, left, right, node.at);
}

/** Translates `"%s" % x` with one or several values. */
function percent(port: Port, node: Binary, left: Code, right: Code): Code {
  if (node.left.kind !== 'str') return operate(port, node.op, left, right, node.at);
  const values = node.right.kind === 'tuple' ? node.right.items : [node.right];
  const pieces = node.left.value.split(/(%(?:\.\d+)?[sdifgr]|%%)/);
  let index = 0;
  const parts = pieces.flatMap((piece): (string | Field)[] => {
    if (piece === '%%') return ['%'];
    if (!/^%(?:\.\d+)?[sdifgr]$/.test(piece)) return piece ? [piece] : [];
    const value = values[index++];
    const spec = /\.\d+/.exec(piece)?.[0];
    return value
      ? [{ value, spec: piece.endsWith('f') ? `:${spec ?? '.6'}f` : '', label: '' }]
      : [];
  });
  return port.expr({ kind: 'fstr', parts, at: node.at });
}

/** Returns an operand of `and`, `or` and `not`: what Python takes for true. */
function logical(port: Port, node: Expr): Code {
  const value = port.expr(node);
  return value.type?.k === 'list' ||
    value.type?.k === 'dict' ||
    value.type?.k === 'set' ||
    value.type?.k === 'lib' ||
    isTensor(value.type)
    ? truth(value)
    : value;
}

/** Returns a condition: empty lists and dictionaries are false in Python, but true here. */
export function truth(value: Code): Code {
  const k = value.type?.k;
  const object = within(value, level.call);
  if (k === 'list') return code([object, '.length > 0'], level.relational, bool);
  if (k === 'set') return code([object, '.size > 0'], level.relational, bool);
  if (k === 'dict')
    return code(['Object.keys(', value.doc, ').length > 0'], level.relational, bool);
  if (k === 'tensor' || k === 'inputs') return called([object, '.item()'], bool);
  if (k === 'variable') return called([object, '.value.item()'], bool);
  // A module is true.
  if (value.type?.k === 'lib' && !value.type.path.includes('.')) return primary('true', bool);
  return value;
}

export const condition = (port: Port, node: Expr): Code => {
  if (node.kind === 'binary' && (node.op === 'and' || node.op === 'or')) {
    const own = node.op === 'and' ? level.and : level.or;
    const sides = [condition(port, node.left), condition(port, node.right)] as const;
    const symbol = node.op === 'and' ? ' && ' : ' || ';
    return code([within(sides[0], own), symbol, within(sides[1], own + 1)], own, bool);
  }
  return truth(port.expr(node));
};

export function unary(port: Port, op: string, value: Expr): Code {
  if (op === 'not') return negated(port, value);
  const operand = port.expr(value);
  if (isTensor(operand.type)) {
    if (op === '+') return operand;
    const name = op === '~' ? 'logicalNot' : 'negative';
    if (operand.type?.k === 'tensor')
      return called([within(operand, level.call), `.${name}()`], tensor);
    return called([`${port.name('ops')}.${name}(`, operand.doc, ')'], tensor);
  }
  // A second sign in parentheses, because `--` is another operator.
  return code([op, within(operand, level.unary + 1)], level.unary, operand.type ?? num);
}

function negated(port: Port, value: Expr): Code {
  const operand = port.expr(value);
  const k = operand.type?.k;
  const object = within(operand, level.call);
  if (k === 'list') return code([object, '.length === 0'], level.equality, bool);
  if (k === 'set') return code([object, '.size === 0'], level.equality, bool);
  if (k === 'dict')
    return code(['Object.keys(', operand.doc, ').length === 0'], level.equality, bool);
  return code(['!', within(truth(operand), level.unary)], level.unary, bool);
}

const symbols: { readonly [op: string]: string } = {
  '==': '===',
  '!=': '!==',
  is: '===',
  'is not': '!==',
};

export function compare(port: Port, node: Compare): Code {
  let left = node.first;
  const parts = node.rest.map(({ op, value }) => {
    const part = comparison(port, op, left, value, node.at);
    left = value;
    return part;
  });
  if (parts.length === 1) return parts[0] as Code;
  if (parts.some(({ type }) => isTensor(type))) {
    return parts.reduce((a, b) => opOf(port, 'logicalAnd', a, b));
  }
  return code(
    docs(
      parts.map((part) => within(part, level.and + 1)),
      ' && ',
    ),
    level.and,
    bool,
  );
}

function comparison(port: Port, op: string, first: Expr, second: Expr, at: number): Code {
  if (op === 'in' || op === 'not in') return membership(port, op, first, second);
  const [left, right] = [port.expr(first), port.expr(second)];
  const isNone = second.kind === 'const' && second.value === null;
  const own = op === '==' || op === '!=' || op.startsWith('is') ? level.equality : level.relational;
  const symbol = symbols[op] ?? op;
  if (isNone && left.type?.k === 'lib' && isLibrary(left.type.path)) {
    return primary(symbol === '===' ? 'false' : 'true', bool);
  }
  if (isNone) {
    // A missing argument is undefined here, and None in Python.
    return code([within(left, own), symbol === '===' ? ' == null' : ' != null'], own, bool);
  }
  const name = opNames[op];
  if (name && (isTensor(left.type) || isTensor(right.type))) return opOf(port, name, left, right);
  if (
    own === level.equality &&
    (isList(left.type) || isList(right.type) || left.type?.k === 'dict')
  ) {
    const texts = [left, right].map((each) => ['JSON.stringify(', each.doc, ')']);
    return code([texts[0] as Doc, ` ${symbol} `, texts[1] as Doc], own, bool);
  }
  if (left.type?.k === 'any' && right.type?.k === 'any') {
    port.note(
      at,
      'guess',
      `the operands of ${op} are taken for numbers; for tensors write ops.${name}(a, b)`,
    );
  }
  return code([within(left, own), ` ${symbol} `, within(right, own + 1)], own, bool);
}

function membership(port: Port, op: string, first: Expr, second: Expr): Code {
  const [item, container] = [port.expr(first), port.expr(second)];
  const not = op === 'not in';
  const { k } = container.type ?? any;
  if (k === 'set') {
    const test = called([within(container, level.call), '.has(', item.doc, ')'], bool);
    return not ? code(['!', test.doc], level.unary, bool) : test;
  }
  if (k === 'dict' || k === 'object') {
    const test = [within(item, level.relational), ' in ', within(container, level.relational + 1)];
    return not ? code(['!(', test, ')'], level.unary, bool) : code(test, level.relational, bool);
  }
  const test = called([within(container, level.call), '.includes(', item.doc, ')'], bool);
  return not ? code(['!', test.doc], level.unary, bool) : test;
}

/** Converts a value to a number of JavaScript. */
export function asNumber(value: Code): Code {
  if (value.type?.k === 'variable')
    return called([within(value, level.call), '.value.item()'], num);
  if (isTensor(value.type)) return called([within(value, level.call), '.item()'], num);
  if (value.type?.k === 'num') return value;
  return called(['Number(', value.doc, ')'], num);
}

/** Returns the items of a value as an array or iterable. */
export function iterable(port: Port, value: Code): Code {
  const { k } = value.type ?? any;
  if (k === 'tensor' || k === 'variable') {
    return called([`${port.name('ops')}.unstack(`, value.doc, ')'], { k: 'list', item: tensor });
  }
  if (k === 'dict') {
    const keys = called(['Object.keys(', value.doc, ')'], { k: 'list', item: itemOf(value.type) });
    return value.type?.k === 'dict' && value.type.hasNumbers
      ? called([keys.doc, '.map(Number)'], { k: 'list', item: int })
      : keys;
  }
  return value;
}

/** Returns the items of a value as an array. */
export function array(port: Port, value: Code): Code {
  const items = iterable(port, value);
  const { k } = items.type ?? any;
  if (k === 'list' || k === 'inputs') return items;
  return primary(['[...', within(items, 1), ']'], { k: 'list', item: itemOf(items.type) });
}

// SPDX-License-Identifier: MIT
// Chooses the translation of each expression.
import { Absent, withoutValue } from './absent.js';
import type { Expr, Name } from './ast.js';
import { attribute } from './attributes.js';
import { callOf, libraryValue } from './calls.js';
import { type Code, code, level, type Port, primary, within } from './context.js';
import {
  comprehension,
  conditional,
  dictionary,
  formatted,
  lambda,
  numberOf,
  sequence,
} from './literals.js';
import { commandSign } from './notebook.js';
import { binary, compare, condition, unary } from './operators.js';
import { canonical } from './paths.js';
import { quoted } from './strings.js';
import { subscript } from './subscripts.js';
import { rowOf } from './tables.js';
import { setType, variable } from './targets.js';
import { any, bool, none, str, type Type } from './types.js';

type Emit = (port: Port, node: never) => Code;

function name(port: Port, node: Name): Code {
  const { id, at } = node;
  const scope = port.scope.find(id);
  if (scope?.absent.has(id)) {
    const type = port.admitted.get(node);
    if (!type) throw withoutValue(id, at);
    port.asked.push(`${scope.absent.get(id)} ${id}`);
    return primary(variable(port, id), type);
  }
  if (port.self && id === port.self.name && port.self.name) {
    const { info } = port.self;
    return primary('this', { k: port.self.isClass ? 'class' : 'object', info });
  }
  const type = scope?.typeOf(id) ?? null;
  if (type?.k === 'lib' && (port.libraries.has(id) || !scope))
    return libraryValue(port, type.path, at);
  if (scope) return primary(variable(port, id), type);
  const modules = port.stars.filter((module) => starNames(module).test(id));
  const starred = modules.find((module) => hasName(module, id)) ?? modules[0];
  if (starred) return libraryValue(port, `${starred}.${id}`, at);
  return unknownName(port, id, at);
}

/** Names that `from keras.layers import *` brings. */
const starNames = (module: string): RegExp =>
  /layers|models|losses|metrics|callbacks|optimizers/.test(module) ? /^[A-Z]/ : /^[a-z]/;

/** Returns whether a module of Keras has a name, so that the right one of several is chosen. */
function hasName(module: string, id: string): boolean {
  const [, space = '', name = ''] =
    /^keras\.(\w+)\.(\w+)$/.exec(canonical(`${module}.${id}`)) ?? [];
  return rowOf(space, name) !== undefined;
}

const builtins: { readonly [name: string]: Code } = {
  __name__: primary("'__main__'", str),
  __file__: primary('import.meta.url', str),
  NotImplemented: primary('undefined', any),
  int: primary('Number', any),
  float: primary('Number', any),
  str: primary('String', any),
  len: primary('((x) => x.length)', any),
  print: primary('console.log', any),
  abs: primary('Math.abs', any),
  max: primary('Math.max', any),
  min: primary('Math.min', any),
  list: primary('Array.from', any),
  bool: primary('Boolean', any),
};

function unknownName(port: Port, id: string, at: number): Code {
  if (id === 'super') throw new Absent('absent', at, 'super() stands before a member here');
  if (id === 'get_ipython' || id[0] === commandSign) {
    throw new Absent('absent', at, 'a command of IPython; write this part in JavaScript');
  }
  if (Object.hasOwn(builtins, id)) return builtins[id] as Code;
  if (/^(tf|np|keras|layers|plt|pd|K)$/.test(id) || !port.unbound.has(id)) {
    port.unbound.add(id);
    port.note(at, 'name', `${id} is not defined in this program; define it, or import it`);
  }
  return primary(variable(port, id), null);
}

const emitters: { readonly [kind in Expr['kind']]: Emit } = {
  name: name as Emit,
  num: ((port: Port, { text, at }: Expr & { kind: 'num' }) => numberOf(port, text, at)) as Emit,
  str: ((_: Port, { value }: Expr & { kind: 'str' }) => primary(quoted(value), str)) as Emit,
  fstr: formatted as Emit,
  const: ((_: Port, { value }: Expr & { kind: 'const' }) =>
    value === '...'
      ? primary('undefined', any)
      : primary(String(value), value === null ? none : bool)) as Emit,
  attr: attribute as Emit,
  sub: subscript as Emit,
  slice: ((port: Port, { at }: Expr) => {
    port.note(at, 'guess', 'a slice outside of brackets is left out');
    return primary('undefined');
  }) as Emit,
  call: callOf as Emit,
  list: sequence as Emit,
  tuple: sequence as Emit,
  set: sequence as Emit,
  dict: dictionary as Emit,
  comp: comprehension as Emit,
  lambda: lambda as Emit,
  binary: binary as Emit,
  compare: compare as Emit,
  unary: ((port: Port, { op, value }: Expr & { kind: 'unary' }) => unary(port, op, value)) as Emit,
  cond: ((port: Port, { test, yes, no }: Expr & { kind: 'cond' }) =>
    conditional(port, condition(port, test), yes, no)) as Emit,
  star: ((port: Port, { value }: Expr & { kind: 'star' }) =>
    primary(['...', within(port.expr(value), 1)])) as Emit,
  walrus: ((port: Port, node: Expr & { kind: 'walrus' }) => {
    const value = port.expr(node.value);
    setType(port, node.name, value.type);
    return code(
      ['(', variable(port, node.name), ' = ', within(value, 1), ')'],
      level.primary,
      value.type,
    );
  }) as Emit,
  yield: ((port: Port, { value, isFrom }: Expr & { kind: 'yield' }) => {
    const item = value ? port.expr(value) : primary('');
    if (port.fn) port.fn.result = item.type as Type | null;
    return code(
      [isFrom ? 'yield* ' : value ? 'yield ' : 'yield', within(item, 1)],
      level.arrow,
      null,
    );
  }) as Emit,
  await: ((port: Port, { value }: Expr & { kind: 'await' }) => {
    const item = port.expr(value);
    return typeof item.doc === 'object' && Array.isArray(item.doc) && item.doc[0] === 'await '
      ? item
      : port.awaited(within(item, level.unary), item.type);
  }) as Emit,
};

export const emit = (port: Port, node: Expr): Code => emitters[node.kind](port, node as never);

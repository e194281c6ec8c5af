// SPDX-License-Identifier: MIT
// Assignments: of variables, members, items and slices.
import { Absent } from './absent.js';
import type { Assign, Expr, Sub } from './ast.js';
import { type Code, called, level, type Port, within } from './context.js';
import { camel } from './identifiers.js';
import { iterable } from './operators.js';
import { type Doc, list } from './print.js';
import { targetNames } from './scope.js';
import { bindTypes, pattern, setType, variable } from './targets.js';
import { isTensor, itemOf, join, memberKey, tensor, type Type } from './types.js';

/** Translates an assignment; `value` is that of an operator such as `+=`. */
export function assigned(port: Port, stmt: Assign, value: Code | null): Doc[] {
  if (!stmt.value && !value) return [];
  const code = value ?? port.expr(stmt.value as Expr);
  const library =
    code.type?.k === 'lib' && stmt.targets.length === 1 && stmt.targets[0]?.kind === 'name';
  if (library && code.type?.k === 'lib') {
    const name = (stmt.targets[0] as Expr & { kind: 'name' }).id;
    setType(port, name, code.type);
    if (typeof code.doc === 'string' && code.doc.startsWith('/*')) {
      port.libraries.set(name, code.type.path);
      return [];
    }
  }
  const names = stmt.targets.flatMap(targetNames);
  // Python assigns from left to right, which matters if a name stands there twice.
  const isRepeated = new Set(names).size < names.length;
  const targets = isRepeated ? stmt.targets : [...stmt.targets].reverse();
  const [last, ...others] = targets as [Expr, ...Expr[]];
  const declared = new Set<string>();
  const lines = one(port, stmt, last, code, declared);
  for (const target of others) {
    const value = { ...port.expr(last), type: code.type };
    lines.push(...one(port, stmt, target, value, declared));
  }
  return lines;
}

/** Assigns to one target; `declared` has the names that an earlier target declared. */
function one(port: Port, stmt: Assign, target: Expr, value: Code, declared: Set<string>): Doc[] {
  if (target.kind === 'name') return named(port, stmt, target.id, value, declared);
  if (target.kind === 'attr') return member(port, target, value);
  if (target.kind === 'sub') return item(port, target, value);
  if (target.kind === 'tuple' || target.kind === 'list')
    return unpacked(port, stmt, target, value, declared);
  throw new Absent('absent', stmt.at, 'this assignment has no partner here');
}

function named(port: Port, stmt: Assign, name: string, value: Code, declared: Set<string>): Doc[] {
  const word = declared.has(name) ? '' : port.scope.declares(stmt, [name]);
  declared.add(name);
  setType(port, name, value.type);
  const js = variable(port, name);
  return [[word ? `${word} ` : '', js, ' = ', within(value, 1), ';']];
}

function member(port: Port, target: Expr & { kind: 'attr' }, value: Code): Doc[] {
  const owner = port.expr(target.value);
  if (port.self && target.value.kind === 'name' && target.value.id === port.self.name) {
    const { attributes } = port.self.info;
    const type = join(attributes.get(target.name), value.type);
    if (type) attributes.set(target.name, type);
  }
  port.memory.members.set(memberKey(owner.type, target), true);
  if (target.name === 'built' && port.self) {
    port.note(target.at, 'ignored', 'built is left out; layers set it themselves');
    return [];
  }
  if (target.name === '_keras_mask')
    throw new Absent('absent', target.at, 'a mask is attached with x.withMask(mask)');
  const name = target.name === 'lr' ? 'learningRate' : camel(target.name);
  return [[within(owner, level.call), `.${name} = `, within(value, 1), ';']];
}

/** `x[i] = v`: lists and dictionaries change, tensors do not. */
function item(port: Port, target: Sub, value: Code): Doc[] {
  const owner = port.expr(target.value);
  if (isTensor(owner.type) || target.items.length > 1) return updated(port, target, owner, value);
  const [key] = target.items as [Expr];
  if (key.kind === 'slice') return spliced(port, target, owner, value);
  if (owner.type?.k === 'dict') remember(port, target.value, value.type, port.expr(key).type);
  const place = port.place(target);
  const doc = place.doc;
  if (key.kind === 'unary' && owner.type?.k === 'list') {
    const object = within(owner, level.call);
    return [
      [object, '[', object, '.length - ', port.expr(key.value).doc, '] = ', within(value, 1), ';'],
    ];
  }
  return [[doc, ' = ', within(value, 1), ';']];
}

function remember(port: Port, node: Expr, type: Type | null, key: Type | null): void {
  if (node.kind !== 'name') return;
  const scope = port.scope.find(node.id);
  const known = scope?.typeOf(node.id);
  const item = itemOfDict(known ?? null);
  const isEmpty = known?.k === 'dict' && !known.item;
  const hadNumbers = known?.k === 'dict' && known.hasNumbers === true;
  const hasNumbers = key?.k === 'num' && (isEmpty || hadNumbers);
  const next: Type = { k: 'dict', item: join(item, type), hasNumbers };
  scope?.types.set(node.id, next);
  scope?.last.set(node.id, next);
}

const itemOfDict = (type: Type | null): Type | null => (type?.k === 'dict' ? type.item : null);

function spliced(port: Port, target: Sub, owner: Code, value: Code): Doc[] {
  const [key] = target.items;
  if (key?.kind !== 'slice' || key.step)
    throw new Absent('absent', target.at, 'an assignment to this slice has no partner here');
  const object = within(owner, level.call);
  const start = key.lower ? port.expr(key.lower).doc : '0';
  const count: Doc = key.upper
    ? [within(port.expr(key.upper), 12), ' - ', start]
    : [object, '.length'];
  return [[object, '.splice(', start, ', ', count, ', ...', within(value, 1), ');']];
}

/** `x[i, j] = v` of a tensor is a new tensor. */
function updated(port: Port, target: Sub, owner: Code, value: Code): Doc[] {
  if (target.value.kind !== 'name' && target.value.kind !== 'attr') {
    throw new Absent(
      'absent',
      target.at,
      'tensors do not change; use ops.scatterUpdate or ops.sliceUpdate',
    );
  }
  if (target.value.kind === 'name')
    port.scope.find(target.value.id)?.last.set(`${target.value.id}=`, tensor);
  return [[owner.doc, ' = ', changed(port, target.items, owner, value), ';']];
}

/** Returns the tensor with new items: chosen by a mask, by indices or by slices. */
function changed(port: Port, items: readonly Expr[], owner: Code, value: Code): Doc {
  const ops = port.name('ops', true);
  const docs = items.map((each) =>
    each.kind === 'slice' || each.kind === 'const' ? null : port.expr(each),
  );
  const [first] = docs;
  if (items.length === 1 && first && isTensor(first.type)) {
    return {
      open: `${ops}.where(`,
      items: [within(first, 1), within(value, 1), owner.doc],
      close: ')',
    };
  }
  port.name('tensor');
  const parts = items.map(
    (each): Doc => (each.kind === 'slice' ? sliceOf(port, each) : within(port.expr(each), 1)),
  );
  return {
    open: `${port.helper('withSlice')}(`,
    items: [owner.doc, list(parts), within(value, 1)],
    close: ')',
  };
}

function sliceOf(port: Port, { lower, upper, step, at }: Expr & { kind: 'slice' }): Doc {
  if (step)
    throw new Absent('absent', at, 'an assignment to a slice with a step has no partner here');
  const part = (each: Expr | null): Doc => (each ? within(port.expr(each), 1) : 'null');
  return ['[', part(lower), ', ', part(upper), ']'];
}

function unpacked(
  port: Port,
  stmt: Assign,
  target: Expr & { items: readonly Expr[] },
  value: Code,
  declared: Set<string>,
): Doc[] {
  const names = targetNames(target);
  const isKnown = names.some((name) => declared.has(name));
  const items =
    value.type?.k === 'inputs'
      ? value
      : value.type?.k === 'tensor'
        ? unpackedTensor(port, stmt, value)
        : value.type?.k === 'dict'
          ? iterable(port, value)
          : value;
  const isPlain = targetIsPlain(target);
  const word =
    isPlain && !isKnown
      ? port.scope.declares(
          stmt,
          names.filter((name) => name !== '_' || port.scope.has('_')),
        )
      : '';
  const late = names.filter((name) => !declared.has(name));
  const early = word ? '' : lateNames(port, stmt, late);
  for (const name of names) declared.add(name);
  const type =
    value.type?.k === 'inputs' || value.type?.k === 'tensor'
      ? { k: 'list' as const, item: tensor }
      : value.type;
  bindTypes(port, target, type);
  if (!isPlain) {
    const docs = target.items.map((each) => pattern(port, each));
    return [...(early ? [early] : []), [list(docs), ' = ', within(items, 1), ';']];
  }
  const names_ = pattern(port, target);
  return [
    ...(early ? [early] : []),
    [word ? `${word} ` : '', names_, ' = ', within(items, 1), ';'],
  ];
}

const targetIsPlain = (target: Expr): boolean => {
  if (target.kind === 'name') return true;
  if (target.kind === 'star') return targetIsPlain(target.value);
  return (target.kind === 'tuple' || target.kind === 'list') && target.items.every(targetIsPlain);
};

/** Declares those names that the statement itself would declare if all were new. */
function lateNames(port: Port, stmt: Assign, names: readonly string[]): string {
  const own = [...new Set(names)].filter((name) => port.scope.declares(stmt, [name]));
  return own.length > 0 ? `let ${own.map((name) => variable(port, name)).join(', ')};` : '';
}

/** A result of a layer with states is a list; a tensor of data is taken apart. */
function unpackedTensor(port: Port, stmt: Assign, value: Code): Code {
  const isCall = stmt.value?.kind === 'call';
  if (isCall) return value;
  return called([`${port.name('ops')}.unstack(`, value.doc, ')'], {
    k: 'list',
    item: itemOf(value.type),
  });
}

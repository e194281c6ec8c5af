// SPDX-License-Identifier: MIT
// Statements of the program as lines of JavaScript.
import { Absent, adviceFor, python2 } from './absent.js';
import {
  type Assign,
  type Body,
  type Class,
  type Def,
  type Expr,
  type For,
  type If,
  type Stmt,
  type Try,
  type With,
  walk,
} from './ast.js';
import { classDefinition, registrations } from './classes.js';
import { type Code, type Port, within } from './context.js';
import { definition } from './functions.js';
import { branches } from './branches.js';
import { importLines } from './imports.js';
import { asNumber, condition, iterable, operate } from './operators.js';
import { block, type Doc, mark, whole } from './print.js';
import { targetNames } from './scope.js';
import { literal } from './subscripts.js';
import { assigned } from './assignments.js';
import { taped } from './tape.js';
import { bindTypes, pattern, scopeOf, setType, variable } from './targets.js';
import { itemOf, int, isNumber, isTensor, join, memberKey } from './types.js';

/** Translates the statements of a body. */
export function lines(port: Port, body: Body): Doc[] {
  const result: Doc[] = [];
  let end = -1;
  for (let i = 0; i < body.length; i++) {
    const stmt = body[i] as Stmt;
    const comments = port.comments.take(end, stmt.at);
    const group: Doc[] = [...comments.docs];
    if (result.length > 0 && port.comments.hasGap(end, comments.at ?? stmt.at)) result.push('');
    const tape = taped(port, body, i);
    const own = tape ? tape.lines : guarded(port, stmt);
    const last = body[tape ? tape.last : i] as Stmt;
    if (tape) i = tape.last;
    if (comments.at !== null && group.length > 0 && port.comments.hasGap(comments.end, stmt.at))
      group.push('');
    group.push(...trailing(port, last, own));
    while (group.at(-1) === '') group.pop();
    result.push(...group);
    end = last.to;
  }
  while (result[0] === '') result.shift();
  return result;
}

/** Adds the comment at the end of the statement's line. */
function trailing(port: Port, stmt: Stmt, own: Doc[]): Doc[] {
  const comment = port.comments.after(stmt.to);
  if (!comment) return own;
  const last = own.at(-1);
  if (last === undefined || last === '') return [...own, comment];
  const isBlock =
    stmt.kind !== 'assign' && stmt.kind !== 'expr' && stmt.kind !== 'return' && stmt.kind !== 'aug';
  return isBlock ? [comment, ...own] : [...own.slice(0, -1), [last, ` ${comment}`]];
}

/** Translates a statement; one without a partner becomes a comment and a note. */
function guarded(port: Port, stmt: Stmt): Doc[] {
  const { ahead: outer, asked } = port;
  port.ahead = [];
  port.asked = [];
  try {
    const declared = port.scope.before(stmt);
    const own = statement(port, stmt);
    for (const doc of own) requirePartners(stmt, doc);
    for (const each of port.asked) port.memory.missing.add(each);
    const names = declared.map((name) => variable(port, name));
    const before: Doc[] = names.length > 0 ? [[mark(stmt.at), `let ${names.join(', ')};`]] : [];
    return [
      ...before,
      ...port.ahead,
      ...own.map((doc, i): Doc => (i === 0 && doc !== '' ? [mark(stmt.at), doc] : doc)),
    ];
  } catch (error) {
    if (!(error instanceof Absent)) throw error;
    port.note(error.at, error.kind, error.message);
    return commented(port, stmt, error);
  } finally {
    port.ahead = outer;
    port.asked = asked;
  }
}

/** Throws Absent for a name of a library that is a value here; those of blocks are known. */
function requirePartners(stmt: Stmt, doc: Doc): void {
  const parts = typeof doc === 'string' ? [] : 'open' in doc ? doc.items : doc;
  if (Array.isArray(parts)) for (const part of parts) requirePartners(stmt, part);
  const text = typeof doc === 'string' ? doc : 'open' in doc ? doc.open : '';
  const [, path] = /\/\* ([\w.]+) \*\/ undefined/.exec(text) ?? [];
  if (path) throw new Absent('absent', stmt.at, `${path} has no partner here: ${adviceFor(path)}`);
}

/** Keeps a statement as a comment, and remembers that its names have no value. */
function commented(port: Port, stmt: Stmt, error: Absent): Doc[] {
  const names =
    stmt.kind === 'assign'
      ? stmt.targets.flatMap(targetNames)
      : stmt.kind === 'with'
        ? stmt.items.flatMap(({ as }) => as ?? [])
        : [];
  if (stmt.kind === 'for') names.push(...targetNames(stmt.target));
  if (stmt.kind === 'class' || stmt.kind === 'def') names.push(stmt.name);
  else {
    walk(stmt, (node) => {
      if (node.kind === 'assign') names.push(...node.targets.flatMap(targetNames));
      return node.kind !== 'def' && node.kind !== 'class';
    });
  }
  for (const name of names) scopeOf(port, name).absent.set(name, stmt.at);
  if (stmt.kind === 'assign') loseMembers(port, stmt);
  const start = port.source.lastIndexOf('\n', stmt.at - 1) + 1;
  const indent = port.source.slice(start, stmt.at);
  const text = port.source.slice(stmt.at, stmt.to).trimEnd();
  port.comments.take(stmt.at, stmt.to);
  // A later statement gives the variable a value.
  const later = names.filter((name) => isWrittenLater(port, stmt, name));
  const isNeeded = (name: string): boolean => port.memory.missing.has(`${stmt.at} ${name}`);
  const own = names.filter((name) => isNeeded(name) && port.scope.declares(stmt, [name]));
  const before = [...new Set([...port.scope.before(stmt), ...later, ...own])].map((name) =>
    variable(port, name),
  );
  const needed = [...new Set(names.filter(isNeeded))].map((name) => variable(port, name));
  const texts = text
    .split(/\r\n?|\n|[\u2028\u2029]/)
    .map((line, i) =>
      `// ${i > 0 && line.startsWith(indent) ? line.slice(indent.length) : line}`.trimEnd(),
    );
  const head: Doc = [
    mark(stmt.at),
    `// Not translated: ${error.message.replace(/[\r\n\u2028\u2029]+/g, ' ')}`,
  ];
  if (needed.length > 0) texts.push(`// Give values here: ${needed.join(', ')}`);
  return [...(before.length > 0 ? [`let ${before.join(', ')};`] : []), head, ...texts];
}

/** Remembers members whose only statement is a comment. */
function loseMembers(port: Port, { targets }: Assign): void {
  const { members } = port.memory;
  for (const target of targets.flatMap((each) => ('items' in each ? each.items : each) as Expr[])) {
    if (target.kind !== 'attr' || target.value.kind !== 'name') continue;
    const { id } = target.value;
    const isSelf = id === port.self?.name;
    const type = isSelf ? port.expr(target.value).type : (port.scope.find(id)?.typeOf(id) ?? null);
    const key = memberKey(type, target);
    members.set(key, members.get(key) ?? false);
  }
}

const isWrittenLater = (port: Port, stmt: Stmt, name: string): boolean =>
  stmt.kind !== 'for' && port.scope.declares(stmt, [name]) === 'let';

function statement(port: Port, stmt: Stmt): Doc[] {
  const write = writers[stmt.kind] as (port: Port, stmt: Stmt) => Doc[];
  return write(port, stmt);
}

function expressionLines(port: Port, stmt: Stmt & { kind: 'expr' }): Doc[] {
  const { value } = stmt;
  if (value.kind === 'str') return docstring(value.value);
  if (value.kind === 'const' && value.value === '...') return [];
  const item = port.expr(value);
  if (item.doc === '') return [];
  const doc = whole(item.doc);
  const isObject = /^(\{|function\b|class\b|let\b)/.test(doc);
  return [[isObject ? ['(', item.doc, ')'] : item.doc, ';']];
}

/** A docstring is a comment. */
function docstring(text: string): Doc[] {
  const rows = text
    .trim()
    .split(/\r\n?|\n|[\u2028\u2029]/)
    .map((row) => row.trim());
  return rows.map((row) => `// ${row}`.trimEnd());
}

const branchesOf = (port: Port) => branches(port.scope.types, (body) => lines(port, body));

/** Translates a body that may not run. */
function maybe(port: Port, body: Body): Doc[] {
  const only = branchesOf(port);
  const own = only.body(body);
  only.end(false);
  return own;
}

function conditional(port: Port, stmt: If): Doc[] {
  if (isMain(stmt.test)) return lines(port, stmt.body);
  const parts: Doc[] = [];
  const arms = branchesOf(port);
  let isComplete = false;
  let each: If | undefined = stmt;
  while (each) {
    const { test, body, orelse } = each as If;
    parts.push(
      parts.length > 0 ? ' else if (' : 'if (',
      within(condition(port, test), 1),
      ') ',
      block(arms.body(body)),
    );
    const [only] = orelse;
    const next: If | undefined =
      orelse.length === 1 && only?.kind === 'if' && port.source.startsWith('elif', only.at)
        ? only
        : undefined;
    isComplete = !next && orelse.length > 0;
    if (isComplete) parts.push(' else ', block(arms.body(orelse)));
    each = next;
  }
  arms.end(isComplete);
  return [parts];
}

/** `if __name__ == "__main__":` holds for a program. */
const isMain = (test: Expr): boolean =>
  test.kind === 'compare' && test.first.kind === 'name' && test.first.id === '__name__';

function loop(port: Port, stmt: For): Doc[] {
  const counted = counting(port, stmt);
  if (!counted) port.ahead.push(...lateNames(port, stmt));
  const head = counted ?? over(port, stmt);
  const body = block(maybe(port, stmt.body));
  if (stmt.orelse.length > 0) {
    port.note(
      stmt.at,
      'guess',
      'the else of a loop is run always; move it after a test of your own',
    );
    return [[head, body], ...lines(port, stmt.orelse)];
  }
  return [[head, body]];
}

/** `for i in range(a, b, step)` counts. */
function counting(port: Port, { target, iter, at }: For): Doc | null {
  if (
    iter.kind !== 'call' ||
    iter.fn.kind !== 'name' ||
    iter.fn.id !== 'range' ||
    port.scope.find('range')
  )
    return null;
  if (target.kind !== 'name' || iter.args.some(({ name, star }) => name || star)) return null;
  const values = iter.args.map(({ value }) => countOf(port.expr(value)));
  const [start, stop, step] = values.length === 1 ? [undefined, values[0], undefined] : values;
  const by = iter.args[2] ? literal(iter.args[2].value) : 1;
  if (!stop) return null;
  setType(port, target.id, int);
  const name = variable(port, target.id);
  const word = port.scope.declares(stmtOf(port, at), [target.id]) || isNew(port, target.id);
  const test = by !== undefined && by < 0 ? ' > ' : ' < ';
  const change: Doc =
    by === 1
      ? `${name}++`
      : by === -1
        ? `${name}--`
        : [`${name} += `, step ? within(step, 1) : '1'];
  return [
    `for (${word ? 'let ' : ''}${name} = `,
    start ? within(start, 1) : '0',
    `; ${name}${test}`,
    within(stop, 11),
    '; ',
    change,
    ') ',
  ];
}

const countOf = (value: Code): Code => (isTensor(value.type) ? asNumber(value) : value);
const stmtOf = (port: Port, at: number): Stmt => port.loops.get(at) as Stmt;
const isNew = (port: Port, name: string): boolean => name === '_' && !port.scope.has('_');

function over(port: Port, stmt: For): Doc {
  const items = port.expr(stmt.iter);
  const list = iterable(port, items);
  bindTypes(port, stmt.target, itemOf(list.type));
  const names = targetNames(stmt.target);
  const isUnused = names.every((name) => name === '_' && !port.scope.has('_'));
  const word = isUnused
    ? 'const'
    : port.scope.declares(
        stmt,
        names.filter((name) => name !== '_' || port.scope.has('_')),
      );
  const target = pattern(port, stmt.target);
  const isMember = stmt.target.kind === 'attr' || stmt.target.kind === 'sub';
  return ['for (', word && !isMember ? `${word} ` : '', target, ' of ', within(list, 1), ') '];
}

/** Declares those names of a loop that are new, if others of them exist before it. */
function lateNames(port: Port, stmt: For): Doc[] {
  const names = [...new Set(targetNames(stmt.target))];
  if (names.length < 2 || port.scope.declares(stmt, names)) return [];
  const own = names.filter((name) => port.scope.declares(stmt, [name]));
  return own.length > 0 ? [`let ${own.map((name) => variable(port, name)).join(', ')};`] : [];
}

const waitsForMissing = (type: Expr | null): boolean =>
  !type ||
  (type.kind === 'tuple'
    ? type.items.some((item) => waitsForMissing(item))
    : type.kind === 'name' && /^(IndexError|KeyError|LookupError|Exception)$/.test(type.id));

function attempt(port: Port, stmt: Try): Doc[] {
  const outer = port.isTrying;
  port.isTrying ||= stmt.handlers.some(({ type }) => waitsForMissing(type));
  const body = lines(port, stmt.body);
  port.isTrying = outer;
  const parts: Doc[] = ['try ', block([...body, ...lines(port, stmt.orelse)])];
  const [first] = stmt.handlers;
  if (first) {
    const text = "catch catches every error, but 1 / 0 is Infinity and Number('x') is NaN";
    port.note(stmt.at, 'guess', `${text}; test for what may fail`);
    const name = first.name ? variable(port, first.name) : null;
    parts.push(
      name ? ` catch (${name}) ` : ' catch ',
      block(stmt.handlers.flatMap(({ body }) => lines(port, body))),
    );
  }
  if (stmt.final.length > 0) parts.push(' finally ', block(lines(port, stmt.final)));
  return [parts];
}

/** Scopes that have no meaning here are left out; their bodies remain. */
const needless =
  /strategy\.scope|device|name_scope|no_grad|custom_object_scope|CustomObjectScope|eager_mode|inference_mode/;

function context(port: Port, stmt: With): Doc[] {
  const text = port.source.slice(stmt.at, stmt.at + 200).split('\n')[0] ?? '';
  if (!needless.test(text)) {
    throw new Absent(
      'absent',
      stmt.at,
      'a with statement has no partner here; write this part in JavaScript',
    );
  }
  port.note(stmt.at, 'ignored', 'the scope of this with statement is left out; its body remains');
  return lines(port, stmt.body);
}

function functionLines(port: Port, node: Def): Doc[] {
  const fn = port.fnOf(node);
  setType(port, node.name, { k: 'fn', fn });
  const doc = definition(port, node);
  const others = node.decorators.filter((each) => !isKnownDecorator(port, each));
  const name = variable(port, node.name);
  const wrapped = others.reverse().map((each): Doc => {
    const decorator = port.expr(each);
    return [within(decorator, 17), `(${name});`];
  });
  return [hoisted(port, node, doc), ...wrapped, ...registrations(port, node, name)];
}

/** A function or class whose variable is declared elsewhere is assigned to it. */
function hoisted(port: Port, node: Def | Class, doc: Doc): Doc {
  const isHoisted =
    port.scope.before(node).includes(node.name) ||
    (port.scope.variables.get(node.name)?.writes ?? 0) > 1;
  if (!isHoisted) return doc;
  const declares = port.scope.declares(node, [node.name]);
  const text = whole(doc);
  if (text.startsWith('const ')) return [declares ? 'let ' : '', text.slice('const '.length)];
  return [declares ? 'let ' : '', `${variable(port, node.name)} = `, doc, ';'];
}

const silent =
  /tf\.function|tensorflow\.function|staticmethod|classmethod|property|torch\.no_grad|dataclass|jit|override|typing/;

function isKnownDecorator(port: Port, each: Expr): boolean {
  const fn = each.kind === 'call' ? each.fn : each;
  const { type } = fn.kind === 'name' && !port.scope.find(fn.id) ? { type: null } : port.expr(fn);
  if (fn.kind === 'name' && silent.test(fn.id)) return true;
  if (type?.k !== 'lib') return false;
  if (silent.test(type.path))
    port.note(each.at, 'ignored', `${type.path} is left out; every call runs at once`);
  else if (!type.path.endsWith('register_keras_serializable'))
    port.note(each.at, 'guess', `the decorator ${type.path} is left out`);
  return true;
}

function classLines(port: Port, node: Class): Doc[] {
  const [doc, ...rest] = classDefinition(port, node);
  return [hoisted(port, node, doc as Doc), ...rest];
}

function returned(port: Port, stmt: Stmt & { kind: 'return' | 'raise' }): Doc[] {
  if (stmt.kind === 'raise') return [raised(port, stmt.value)];
  if (!stmt.value) return ['return;'];
  const value = port.expr(stmt.value);
  if (port.fn) port.fn.result = port.fn.result ? join(port.fn.result, value.type) : value.type;
  return [['return ', within(value, 1), ';']];
}

function raised(port: Port, value: Expr | null): Doc {
  if (!value) return "throw new Error('an error of the program');";
  // Python 2's `raise E, x`.
  if (value.kind === 'tuple') port.note(value.at, 'guess', python2);
  if (value.kind === 'call' || value.kind === 'tuple') {
    const [first] =
      value.kind === 'call' ? value.args : value.items.slice(1).map((value) => ({ value }));
    return ['throw new Error(', first ? within(port.expr(first.value), 1) : '', ');'];
  }
  return value.kind === 'name' && !port.scope.find(value.id)
    ? `throw new Error('${value.id.replace(/\W/g, '')}');`
    : ['throw ', port.expr(value).doc, ';'];
}

function updated(port: Port, stmt: Stmt & { kind: 'aug' }): Doc[] {
  const [target, value] = [port.expr(stmt.target), port.expr(stmt.value)];
  const isPlain =
    (isNumber(target.type) || !target.type || target.type.k === 'str' || target.type.k === 'any') &&
    !isTensor(value.type);
  // Python adds a list to lists only, also to a variable that seems to be something else.
  const isList = [target.type?.k, value.type?.k].includes('list');
  if (isList && stmt.op === '+' && !isTensor(target.type))
    return [[within(target, 17), '.push(...', within(value, 1), ');']];
  const isChecked = port.isTrying && stmt.target.kind === 'sub';
  if (isPlain && !isChecked && stmt.op !== '//' && stmt.op !== '@') {
    if (isNumber(value.type) && stmt.target.kind === 'name' && !target.type)
      setType(port, stmt.target.id, value.type);
    return [[target.doc, ` ${stmt.op}= `, within(value, 1), ';']];
  }
  const result = operate(port, stmt.op, target, value, stmt.at);
  if (stmt.target.kind === 'name') setType(port, stmt.target.id, result.type);
  return assigned(
    port,
    { kind: 'assign', targets: [stmt.target], value: null, at: stmt.at, to: stmt.to } as Assign,
    result,
  );
}

function deleted(port: Port, stmt: Stmt & { kind: 'del' }): Doc[] {
  return stmt.targets.flatMap((target): Doc[] => {
    if (target.kind === 'sub' || target.kind === 'attr')
      return [['delete ', port.place(target).doc, ';']];
    return [];
  });
}

const writers: { readonly [kind in Stmt['kind']]: unknown } = {
  expr: expressionLines,
  assign: (port: Port, stmt: Assign) => assigned(port, stmt, null),
  aug: updated,
  if: conditional,
  for: (port: Port, stmt: For) => {
    port.loops.set(stmt.at, stmt);
    return loop(port, stmt);
  },
  while: (port: Port, stmt: Stmt & { kind: 'while' }): Doc[] => [
    ['while (', within(condition(port, stmt.test), 1), ') ', block(maybe(port, stmt.body))],
  ],
  try: attempt,
  with: context,
  def: functionLines,
  class: classLines,
  return: returned,
  raise: returned,
  import: importLines,
  pass: () => [],
  break: () => ['break;'],
  continue: () => ['continue;'],
  del: deleted,
  assert: (port: Port, stmt: Stmt & { kind: 'assert' }): Doc[] => {
    const message = stmt.message
      ? within(port.expr(stmt.message), 1)
      : "'the assertion does not hold'";
    return [['if (!(', condition(port, stmt.test).doc, ')) throw new Error(', message, ');']];
  },
  scope: () => [],
  other: (_: Port, stmt: Stmt & { kind: 'other' }) => {
    throw new Absent(
      'absent',
      stmt.at,
      `the form ${stmt.what} is not translated; write this part in JavaScript`,
    );
  },
};

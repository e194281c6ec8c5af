// SPDX-License-Identifier: MIT
// Literals, collections, comprehensions, lambdas and formatted texts.
import type { Clause, Comp, Dict, Expr, Field, Fstr, Lambda, Sequence } from './ast.js';
import { type Code, called, code, level, type Port, primary, within } from './context.js';
import { isKey } from './identifiers.js';
import { array, truth } from './operators.js';
import { type Doc, flat, list, mark, object, whole } from './print.js';
import { inTemplate, quoted } from './strings.js';
import { Scope } from './scope.js';
import { int, isTensor, itemOf, join, num, str, type Type } from './types.js';
import { bindTypes, pattern } from './targets.js';

/** Writes a number: `1_000`, `1e-3`, `0xff` as they are, `10j` not at all. */
export function numberOf(port: Port, text: string, at: number): Code {
  const plain = text.replaceAll('_', '').toLowerCase();
  if (plain.endsWith('j'))
    port.note(at, 'guess', 'complex numbers are not available; only the number is kept');
  const digits = plain.replace(/[jl]$/, '');
  const isInt = /^(\d+|0[xbo][\da-f]+)$/.test(digits);
  const octal = digits.replace(/^0+(?=\d)/, '');
  const tidy = octal
    .replace(/^\./, '0.')
    .replace(/\.(?=$|e)/, '')
    .replace(/(\.\d*?)0+(?=$|e)/, '$1')
    .replace(/\.(?=$|e)/, '');
  const needsBig = isInt && !Number.isSafeInteger(Number(digits));
  if (needsBig) port.note(at, 'dtype', 'this integer is larger than JavaScript counts exactly');
  return primary(tidy, isInt ? int : num);
}

export function sequence(port: Port, node: Sequence): Code {
  const items = node.items.map((item) => {
    if (item.kind !== 'star') return port.expr(item);
    const value = array(port, port.expr(item.value));
    return {
      ...value,
      doc: ['...', within(value, 1)],
      prec: level.primary,
      type: itemOf(value.type),
    };
  });
  const docs = items.map((item, i): Doc => {
    const { kind, at } = node.items[i] as Expr;
    // Layers of a list have lines of their own.
    return kind === 'call' ? [mark(at), within(item, 1)] : within(item, 1);
  });
  const type = items.reduce<Type | null>((known, item) => join(known, item.type), null);
  if (node.kind === 'set') return primary(['new Set(', list(docs), ')'], { k: 'set', item: type });
  const types = node.items.some(({ kind }) => kind === 'star')
    ? undefined
    : items.map((item) => item.type);
  return primary(list(docs), { k: 'list', item: type, ...(types && { items: types }) });
}

/** Writes the key of an object; a computed one for names with a meaning of their own. */
export function keyOf(port: Port, node: Expr): Doc {
  if (node.kind === 'str') {
    if (isKey(node.value)) return node.value;
    return node.value === '__proto__' ? "['__proto__']" : quoted(node.value);
  }
  if (node.kind === 'num' && /^\d+$/.test(node.text)) return String(Number(node.text));
  return ['[', port.expr(node).doc, ']'];
}

export function dictionary(port: Port, node: Dict): Code {
  let type: Type | null = null;
  let hasNumbers = node.entries.length > 0;
  const entries = node.entries.map(({ key, value }) => {
    const item = port.expr(value);
    if (!key) {
      hasNumbers = false;
      type = join(type, item.type?.k === 'dict' ? item.type.item : null);
      return ['...', within(item, 1)];
    }
    hasNumbers &&= key.kind === 'num' || port.expr(key).type?.k === 'num';
    type = join(type, item.type);
    const name = keyOf(port, key);
    const isShort = key.kind === 'str' && isKey(key.value) && item.doc === key.value;
    return isShort ? name : [name, ': ', within(item, 1)];
  });
  return primary(object(entries), { k: 'dict', item: type, hasNumbers });
}

/** Runs a function in a scope in which the targets of the clauses are variables. */
function inClause<T>(port: Port, clause: Clause, run: (names: Doc, items: Code) => T): T {
  const items = array(port, port.expr(clause.iter));
  const outer = port.scope;
  const body: Expr[] = [clause.target];
  const scope = new Scope(outer, new Map(), paramsOf(clause.target), [], false);
  port.scope = scope;
  try {
    bindTypes(port, body[0] as Expr, itemOf(items.type), items.type);
    return run(pattern(port, clause.target), items);
  } finally {
    port.scope = outer;
  }
}

const paramsOf = (target: Expr) => {
  const names: string[] = [];
  const visit = (node: Expr): void => {
    if (node.kind === 'name') names.push(node.id);
    if (node.kind === 'star') visit(node.value);
    if (node.kind === 'tuple' || node.kind === 'list') for (const item of node.items) visit(item);
  };
  visit(target);
  return names.map((name) => ({
    name,
    star: '' as const,
    value: null,
    isKeyword: false,
    annotation: '',
  }));
};

export function comprehension(port: Port, node: Comp): Code {
  const result = clauses(port, node, node.clauses);
  if (node.form === 'set')
    return primary(['new Set(', result.doc, ')'], { k: 'set', item: itemOf(result.type) });
  if (node.form !== 'dict') return result;
  const item = result.type?.k === 'list' ? (result.type.items?.[1] ?? null) : null;
  const key = result.type?.k === 'list' ? result.type.items?.[0] : null;
  return called(['Object.fromEntries(', result.doc, ')'], {
    k: 'dict',
    item,
    hasNumbers: key?.k === 'num',
  });
}

function clauses(port: Port, node: Comp, rest: readonly Clause[]): Code {
  const [clause, ...others] = rest as [Clause, ...Clause[]];
  return inClause(port, clause, (names, items) => {
    const head = node.clauses[0] === clause ? items : items;
    let source = within(head, level.call);
    for (const test of clause.ifs) {
      source = [source, '.filter((', names, ') => ', within(truth(port.expr(test)), 1), ')'];
    }
    if (others.length > 0) {
      const inner = clauses(port, node, others);
      return called([source, '.flatMap((', names, ') => ', inner.doc, ')'], inner.type);
    }
    const value = resultOf(port, node);
    const type: Type = {
      k: 'list',
      item: value.type,
      ...(node.form === 'dict' && value.type?.k === 'list' && { items: value.type.items ?? [] }),
    };
    if (node.form === 'list' || node.form === 'gen') {
      if (flat(value.doc) === flat(names)) return called(source, { k: 'list', item: value.type });
    }
    const ranged = ranges(port, items, names, value);
    if (ranged && clause.ifs.length === 0) return called(ranged, type);
    const mapped = [source, '.map((', names, ') => ', bodyDoc(value), ')'];
    return value.doc !== null && hasAwait(value.doc)
      ? port.awaited(
          ['Promise.all(', source, '.map(async (', names, ') => ', bodyDoc(value), '))'],
          type,
        )
      : called(mapped, type);
  });
}

/** Joins a map over a range with the array that the range creates. */
function ranges(_: Port, items: Code, names: Doc, value: Code): Doc | null {
  const text = flat(items.doc);
  const match = text && /^Array\.from\((\{ length: .+ \}), \(_, i\) => i\)$/.exec(text);
  if (!match || hasAwait(value.doc)) return null;
  const name = flat(names);
  const params = name === '_' || name === '_i' ? '()' : `(_, ${name})`;
  return {
    open: 'Array.from(',
    items: [match[1] as string, [`${params} => `, bodyDoc(value)]],
    close: ')',
  };
}

const hasAwait = (doc: Doc): boolean => /\bawait /.test(whole(doc));
/** An object as the body of an arrow function is in parentheses. */
export const bodyDoc = (value: Code): Doc =>
  /^\{/.test(flat(value.doc) ?? whole(value.doc)) ? ['(', value.doc, ')'] : within(value, 1);

function resultOf(port: Port, node: Comp): Code {
  const value = port.expr(node.value);
  if (node.form !== 'dict' || !node.key) return value;
  const key = port.expr(node.key);
  return primary(list([within(key, 1), within(value, 1)]), {
    k: 'list',
    item: null,
    items: [key.type, value.type],
  });
}

export function lambda(port: Port, node: Lambda): Code {
  return port.parts.arrow(port, node);
}

/** Writes a formatted text as a template. */
export function formatted(port: Port, node: Fstr): Code {
  const parts = node.parts.map((part): Doc => {
    if (typeof part === 'string') return inTemplate(part);
    const value = whole(formattedValue(port, part, node.at));
    return `${inTemplate(part.label)}\${${value}}`;
  });
  return primary(['`', ...parts, '`'], str);
}

function formattedValue(port: Port, { value, spec }: Field, at: number): Doc {
  const item = port.expr(value);
  const number = isTensor(item.type) ? called([within(item, level.call), '.item()'], num) : item;
  const format = spec
    .replace(/^![rsa]/, '')
    .replace(/^:/, '')
    .trim();
  const object_ = within(number, level.call);
  if (format === '' || format === 'd' || format === 's') return within(item, 1);
  const [, comma, digits, type] = /^(,)?(?:0?\d+)?(?:\.(\d+))?([dfeg%])?$/.exec(format) ?? [];
  const width = /^0?(\d+)/.exec(format)?.[1];
  let result: Doc;
  if (type === '%')
    result = [
      '(',
      within(number, level.multiplicative),
      ` * 100).toFixed(${digits ?? 6})}%`.replace('}%', ''),
    ];
  else if (type === 'f') result = [object_, `.toFixed(${digits ?? 6})`];
  else if (type === 'e') result = [object_, `.toExponential(${digits ?? 6})`];
  else if (type === 'g') result = ['Number(', object_, `.toPrecision(${digits ?? 6}))`];
  else if (comma) result = [object_, ".toLocaleString('en')"];
  else if (type === 'd' || /^0?\d+$/.test(format)) result = within(item, 1);
  else return aligned(port, item, format, at);
  if (type === '%') result = ['`${', result, '}%`'];
  if (!width) return result;
  const fill = format.startsWith('0') ? ", '0'" : '';
  return ['String(', result, `).padStart(${width}${fill})`];
}

function aligned(port: Port, item: Code, format: string, at: number): Doc {
  const [, side, width, digits] = /^([<>])(\d+)(?:\.(\d+)f)?s?$/.exec(format) ?? [];
  if (!width) {
    port.note(at, 'format', `the format ${format} is left out; use toFixed or padStart`);
    return within(item, 1);
  }
  const text = digits
    ? [within(item, level.call), `.toFixed(${digits})`]
    : ['String(', item.doc, ')'];
  return [text, side === '<' ? '.padEnd(' : '.padStart(', width, ')'];
}

export const conditional = (port: Port, test: Code, yes: Expr, no: Expr): Code => {
  const [first, second] = [port.expr(yes), port.expr(no)];
  const doc = [within(test, level.nullish), ' ? ', within(first, 1), ' : ', within(second, 1)];
  return code(doc, level.conditional, join(first.type, second.type));
};

// SPDX-License-Identifier: MIT
// Expressions: from the parser's tree to the parts of ast.ts.
import type { SyntaxNode } from '@lezer/common';
import type { Arg, Clause, Compare, Expr, Param } from './ast.js';
import { contentOf, unescaped } from './strings.js';
import { childrenOf, type Source, splitAt } from './tree.js';

type Read = (source: Source, node: SyntaxNode, parts: SyntaxNode[]) => Expr;

const nothing = (at: number): Expr => ({ kind: 'const', value: null, at });

/** Reads one expression; a lone `*x` is a star. */
export function expression(source: Source, node: SyntaxNode | undefined): Expr {
  if (!node) return nothing(0);
  const read = Object.hasOwn(readers, node.name) ? readers[node.name] : undefined;
  if (!read) return source.fail(`the form ${node.name} is not known`, node.from);
  return source.deeper(node, () => read(source, node, childrenOf(node)));
}

/** Reads `a, *b, c` as expressions. */
export function items(source: Source, nodes: readonly SyntaxNode[]): Expr[] {
  return splitAt(nodes, ',')
    .filter((part) => part.length > 0)
    .map((part) => item(source, part));
}

function item(source: Source, part: readonly SyntaxNode[]): Expr {
  const [first, second, third] = part as [SyntaxNode, SyntaxNode?, SyntaxNode?];
  if (first.name === '*' || first.name === '**') {
    return { kind: 'star', value: expression(source, second), at: first.from };
  }
  if (second?.name === 'AssignOp' && third) {
    return {
      kind: 'walrus',
      name: nameOf(source, first),
      value: expression(source, third),
      at: first.from,
    };
  }
  return expression(source, first);
}

/** Reads `a, b` as a tuple and `a` as itself. */
export function oneOrTuple(source: Source, nodes: readonly SyntaxNode[]): Expr {
  const list = items(source, nodes);
  const isTuple = list.length !== 1 || nodes.some(({ name }) => name === ',');
  if (!isTuple) return unstarred(source, list[0] as Expr);
  return { kind: 'tuple', items: list, at: nodes[0]?.from ?? 0 };
}

/** Returns the name that `:=` binds. */
function nameOf(source: Source, node: SyntaxNode): string {
  if (node.name === 'VariableName') return source.of(node);
  return source.fail('the source is not valid Python here: := needs a name', node.from);
}

/** Refuses `*x` where Python has one value. */
function unstarred(source: Source, value: Expr): Expr {
  if (value.kind !== 'star') return value;
  return source.fail('the source is not valid Python here: * needs a list around it', value.at);
}

/** Reads the target of an assignment or loop. */
export const target = (source: Source, nodes: readonly SyntaxNode[]): Expr =>
  targetOf(source, oneOrTuple(source, nodes));

/** Returns an expression that may be assigned to. */
export function targetOf(source: Source, each: Expr): Expr {
  if (each.kind === 'list' || each.kind === 'tuple') {
    for (const part of each.items) targetOf(source, part);
  } else if (each.kind === 'star') targetOf(source, each.value);
  else if (each.kind !== 'name' && each.kind !== 'attr' && each.kind !== 'sub') {
    source.fail('the source is not valid Python here: this cannot be assigned to', each.at);
  }
  return each;
}

const inner = (parts: readonly SyntaxNode[]): SyntaxNode[] => parts.slice(1, -1);

/** Reads the clauses from the first `for`. */
function clauses(source: Source, nodes: readonly SyntaxNode[]): Clause[] {
  const list: { target: Expr; iter: Expr; ifs: Expr[] }[] = [];
  let rest = nodes.filter(({ name }) => name !== 'async');
  while (rest.length > 0) {
    const [keyword] = rest;
    const next = rest.findIndex(({ name }, i) => i > 0 && (name === 'for' || name === 'if'));
    const part = rest.slice(1, next < 0 ? undefined : next);
    if (keyword?.name === 'for') {
      const at = part.findIndex(({ name }) => name === 'in');
      list.push({
        target: target(source, part.slice(0, at)),
        iter: expression(source, part[at + 1]),
        ifs: [],
      });
    } else list.at(-1)?.ifs.push(expression(source, part[0]));
    rest = next < 0 ? [] : rest.slice(next);
  }
  return list;
}

const comprehension =
  (form: 'list' | 'set' | 'gen' | 'dict'): Read =>
  (source, node, parts) => {
    const nodes = inner(parts);
    const at = nodes.findIndex(({ name }) => name === 'for' || name === 'async');
    const head = nodes.slice(0, at);
    const [first, second] = splitAt(head, ':') as [SyntaxNode[], SyntaxNode[]?];
    return {
      kind: 'comp',
      form,
      key: second ? item(source, first) : null,
      value: source.allowing([], () => unstarred(source, item(source, second ?? first))),
      clauses: clauses(source, nodes.slice(at)),
      at: node.from,
    };
  };

function argument(source: Source, nodes: readonly SyntaxNode[]): Arg {
  const [first, second, third] = nodes as [SyntaxNode, SyntaxNode?, SyntaxNode?];
  if (first.name === '*' || first.name === '**') {
    return { name: null, star: first.name, value: expression(source, second) };
  }
  const loop = nodes.findIndex(({ name }) => name === 'for' || name === 'async');
  if (loop > 0) {
    const value: Expr = {
      kind: 'comp',
      form: 'gen',
      key: null,
      value: expression(source, first),
      clauses: clauses(source, nodes.slice(loop)),
      at: first.from,
    };
    return { name: null, star: '', value };
  }
  if (second?.name === 'AssignOp') {
    const value = expression(source, third);
    if (source.of(second) === ':=') {
      const walrus: Expr = { kind: 'walrus', name: nameOf(source, first), value, at: first.from };
      return { name: null, star: '', value: walrus };
    }
    return { name: source.of(first), star: '', value };
  }
  return { name: null, star: '', value: expression(source, first) };
}

/** Reads an ArgList. */
export const args = (source: Source, node: SyntaxNode): Arg[] =>
  splitAt(inner(childrenOf(node)), ',')
    .filter((part) => part.length > 0)
    .map((part) => argument(source, part));

/** Reads a ParamList, with or without parentheses. */
export function params(source: Source, node: SyntaxNode | undefined): Param[] {
  if (!node) return [];
  const nodes = childrenOf(node).filter(({ name }) => name !== '(' && name !== ')');
  let isKeyword = false;
  const list: Param[] = [];
  for (const part of splitAt(nodes, ',')) {
    const [first] = part;
    if (!first || first.name === '/') continue;
    const star = first.name === '*' || first.name === '**' ? first.name : '';
    const name = part.find((each) => each.name === 'VariableName');
    const type = part.find((each) => each.name === 'TypeDef');
    if (star === '*') isKeyword = true;
    if (!name) continue;
    if (list.some((param) => param.name === source.of(name))) {
      source.fail(`the parameter ${source.of(name)} stands here twice`, name.from);
    }
    const hasDefault = part.some((each) => each.name === 'AssignOp');
    list.push({
      name: source.of(name),
      star,
      value: hasDefault ? expression(source, part.at(-1)) : null,
      isKeyword: isKeyword && star === '',
      annotation: type ? source.of(type).replace(/^[:\s]+/, '') : '',
    });
  }
  return list;
}

const comparisons = new Set(['CompareOp', 'in', 'not', 'is']);

/** Reads `a < b < c` as one comparison. The parser nests them on the left. */
function comparison(source: Source, node: SyntaxNode): Compare {
  const rest: { op: string; value: Expr }[] = [];
  let left: SyntaxNode = node;
  for (;;) {
    const parts = childrenOf(left);
    if (left.name !== 'BinaryExpression' || !comparisons.has(parts[1]?.name ?? '')) break;
    const op = parts
      .slice(1, -1)
      .map((each) => source.of(each))
      .join(' ');
    rest.unshift({ op: op === '<>' ? '!=' : op, value: expression(source, parts.at(-1)) });
    left = parts[0] as SyntaxNode;
  }
  return { kind: 'compare', first: expression(source, left), rest, at: node.from };
}

/** Reads long chains such as `a + b + … + z` in a loop, because they nest on the left. */
function binary(source: Source, node: SyntaxNode, parts: SyntaxNode[]): Expr {
  if (comparisons.has(parts[1]?.name ?? '')) return comparison(source, node);
  const [left, op, right] = parts as [SyntaxNode, SyntaxNode, SyntaxNode];
  return {
    kind: 'binary',
    op: source.of(op),
    left: expression(source, left),
    right: expression(source, right),
    at: node.from,
  };
}

function member(source: Source, node: SyntaxNode, parts: SyntaxNode[]): Expr {
  const value = expression(source, parts[0]);
  if (parts[1]?.name === '.') {
    if (parts[0]?.name === 'Number' && /^\d+\.\w/.test(source.of(node))) {
      source.fail('the source is not valid Python here', parts[1].from);
    }
    return { kind: 'attr', value, name: source.of(parts[2] as SyntaxNode), at: node.from };
  }
  const nodes = parts.slice(2, -1);
  const list = splitAt(nodes, ',').filter((part) => part.length > 0);
  const read = list.map((part) => index(source, part));
  const isTuple = nodes.some(({ name }) => name === ',');
  const alone =
    isTuple && read.length === 1
      ? [...read, { kind: 'const', value: '...', at: node.from } as const]
      : read;
  return { kind: 'sub', value, items: alone, at: node.from };
}

function index(source: Source, part: readonly SyntaxNode[]): Expr {
  if (!part.some(({ name }) => name === ':')) return item(source, part);
  const [lower, upper, step] = splitAt(part, ':').map((each) =>
    each[0] ? expression(source, each[0]) : null,
  );
  return {
    kind: 'slice',
    lower: lower ?? null,
    upper: upper ?? null,
    step: step ?? null,
    at: part[0]?.from ?? 0,
  };
}

/** Reads one literal of a string, or several in a row. */
function text(source: Source, node: SyntaxNode): Expr {
  const nodes = node.name === 'ContinuedString' ? childrenOf(node) : [node];
  const parts = nodes.flatMap((each) => stringParts(source, each));
  if (parts.every((part) => typeof part === 'string')) {
    return { kind: 'str', value: parts.join(''), at: node.from };
  }
  return { kind: 'fstr', parts, at: node.from };
}

function stringParts(
  source: Source,
  node: SyntaxNode,
): (string | Extract<Expr, { kind: 'fstr' }>['parts'][number])[] {
  const literal = source.of(node);
  const { prefix, content, skip } = contentOf(literal);
  const isRaw = prefix.includes('r');
  const plain = (piece: string): string => (isRaw ? piece : unescaped(piece));
  if (!prefix.includes('f')) return [plain(content)];
  const parts = [];
  let from = node.from + skip;
  const end = from + content.length;
  const piece = (to: number): string =>
    plain(source.text.slice(from, to).replace(/\{\{/g, '{').replace(/\}\}/g, '}'));
  for (const each of childrenOf(node)) {
    if (each.name !== 'FormatReplacement') continue;
    parts.push(piece(each.from), field(source, each));
    from = each.to;
  }
  return [...parts, piece(end)].filter((part) => part !== '');
}

function field(source: Source, node: SyntaxNode) {
  const nodes = childrenOf(node);
  const spec = nodes.find(({ name }) => name === 'FormatSpec');
  const conversion = nodes.find(({ name }) => name === 'FormatConversion');
  const self = nodes.find(({ name }) => name === 'FormatSelfDoc');
  const value = nodes[1];
  return {
    value: expression(source, value),
    spec: (conversion ? source.of(conversion) : '') + (spec ? source.of(spec) : ''),
    label: self && value && source.of(self) ? `${source.text.slice(value.from, self.to)}` : '',
  };
}

const sequence =
  (kind: 'list' | 'tuple' | 'set'): Read =>
  (source, node, parts) => ({ kind, items: items(source, inner(parts)), at: node.from });

const constant =
  (value: null | '...'): Read =>
  (_, node) => ({ kind: 'const', value, at: node.from });

const unary: Read = (source, node, parts) => ({
  kind: 'unary',
  op: source.of(parts[0] as SyntaxNode),
  value: expression(source, parts[1]),
  at: node.from,
});

export const yieldOf: Read = (source, node, parts) => {
  if (!source.allowed.has('return')) {
    source.fail('the source is not valid Python here: yield is outside of a function', node.from);
  }
  const isFrom = parts[1]?.name === 'from';
  const rest = parts.slice(isFrom ? 2 : 1);
  const value = rest.length > 0 ? oneOrTuple(source, rest) : null;
  return { kind: 'yield', value, isFrom, at: node.from };
};

const readers: { readonly [name: string]: Read } = {
  VariableName: (source, node) =>
    source.of(node) === 'yield'
      ? yieldOf(source, node, [node])
      : { kind: 'name', id: source.of(node), at: node.from },
  print: (_, node) => ({ kind: 'name', id: 'print', at: node.from }),
  Number: (source, node) => ({ kind: 'num', text: source.of(node), at: node.from }),
  Boolean: (source, node) => ({ kind: 'const', value: source.of(node) === 'True', at: node.from }),
  None: constant(null),
  Ellipsis: constant('...'),
  '...': constant('...'),
  String: text,
  FormatString: text,
  ContinuedString: text,
  BinaryExpression: binary,
  UnaryExpression: unary,
  MemberExpression: member,
  CallExpression: (source, node, parts) => ({
    kind: 'call',
    fn: expression(source, parts[0]),
    args: args(source, parts[1] as SyntaxNode),
    at: node.from,
  }),
  ParenthesizedExpression: (source, _, parts) => oneOrTuple(source, inner(parts)),
  TupleExpression: sequence('tuple'),
  ArrayExpression: sequence('list'),
  SetExpression: sequence('set'),
  DictionaryExpression: (source, node, parts) => ({
    kind: 'dict',
    entries: splitAt(inner(parts), ',')
      .filter((part) => part.length > 0)
      .map((part) => {
        if (part[0]?.name === '**') return { key: null, value: expression(source, part[1]) };
        const [key, value] = splitAt(part, ':') as [SyntaxNode[], SyntaxNode[]];
        return { key: item(source, key), value: item(source, value) };
      }),
    at: node.from,
  }),
  ArrayComprehensionExpression: comprehension('list'),
  ComprehensionExpression: comprehension('gen'),
  SetComprehensionExpression: comprehension('set'),
  DictionaryComprehensionExpression: comprehension('dict'),
  ConditionalExpression: (source, node, [yes, , test, , no]) => ({
    kind: 'cond',
    test: expression(source, test),
    yes: expression(source, yes),
    no: expression(source, no),
    at: node.from,
  }),
  LambdaExpression: (source, node, parts) => ({
    kind: 'lambda',
    params: params(
      source,
      parts.find(({ name }) => name === 'ParamList'),
    ),
    body: source.allowing([], () => expression(source, parts.at(-1))),
    at: node.from,
  }),
  NamedExpression: (source, _, parts) => item(source, parts),
  YieldExpression: yieldOf,
  AwaitExpression: (source, node, parts) => ({
    kind: 'await',
    value: expression(source, parts[1]),
    at: node.from,
  }),
};

// SPDX-License-Identifier: MIT
// Statements: from the parser's tree to the parts of ast.ts.
import type { SyntaxNode } from '@lezer/common';
import type { Body, Comment, Expr, Handler, Imported, Module, Stmt } from './ast.js';
import {
  args,
  expression,
  items,
  oneOrTuple,
  params,
  target,
  targetOf,
  yieldOf,
} from './expressions.js';
import { childrenOf, isIdentifier, maxDepth, type Source, splitAt } from './tree.js';

type Read = (source: Source, node: SyntaxNode, parts: SyntaxNode[]) => Stmt | Stmt[];
type Span = { readonly at: number; readonly to: number };

const spanOf = (node: SyntaxNode): Span => ({ at: node.from, to: node.to });
const isNamed =
  (name: string) =>
  (node: SyntaxNode): boolean =>
    node.name === name;

/** Reads the statements of a module or body. */
function statements(source: Source, nodes: readonly SyntaxNode[]): Stmt[] {
  return nodes.flatMap((node): Stmt | Stmt[] => {
    if (node.name === ':' || node.name === ';') return [];
    if (node.name === 'StatementGroup') return statements(source, childrenOf(node));
    const read = Object.hasOwn(readers, node.name) ? readers[node.name] : undefined;
    if (!read) return [{ kind: 'other', what: node.name, ...spanOf(node) } as const];
    return source.deeper(node, () => read(source, node, childrenOf(node)));
  });
}

const body = (source: Source, node: SyntaxNode | undefined): Body =>
  node ? statements(source, childrenOf(node)) : [];

/** Reads the body of a loop. */
const loopBody = (source: Source, node: SyntaxNode | undefined): Body =>
  source.allowing([...source.allowed, 'break', 'continue'], () => body(source, node));

/** Reads the body of a function or class. */
const ownBody = (source: Source, parts: readonly SyntaxNode[], words: readonly string[]): Body =>
  source.allowing(words, () => body(source, parts.find(isNamed('Body'))));

/** Returns the body after a keyword, such as `else`. */
function bodyAfter(source: Source, parts: readonly SyntaxNode[], keyword: string): Body {
  const at = parts.findIndex(isNamed(keyword));
  return at < 0 ? [] : body(source, parts.slice(at).find(isNamed('Body')));
}

const assignment: Read = (source, node, parts) => {
  const pieces = splitAt(
    parts.filter((part) => part.name !== 'TypeDef'),
    'AssignOp',
  );
  const hasValue = parts.some(isNamed('AssignOp'));
  const targets = (hasValue ? pieces.slice(0, -1) : pieces).map((part) => target(source, part));
  return {
    kind: 'assign',
    targets,
    value: hasValue ? oneOrTuple(source, pieces.at(-1) as SyntaxNode[]) : null,
    ...spanOf(node),
  };
};

/** Reads `if` with all its `elif`, from the last to the first. */
const conditional: Read = (source, node, parts) => {
  const arms: { test: SyntaxNode | undefined; body: SyntaxNode | undefined; at: number }[] = [];
  for (const [i, part] of parts.entries()) {
    if (part.name !== 'if' && part.name !== 'elif') continue;
    // The condition, then the body.
    arms.push({ test: parts[i + 1], body: parts[i + 2], at: part.from });
  }
  if (arms.length > maxDepth) {
    source.fail(`a statement has more than ${maxDepth} branches; use a dictionary`, node.from);
  }
  let orelse = bodyAfter(source, parts, 'else');
  for (const arm of arms.reverse()) {
    const test = expression(source, arm.test);
    const to = node.to;
    orelse = [{ kind: 'if', test, body: body(source, arm.body), orelse, at: arm.at, to }];
  }
  return orelse[0] as Stmt;
};

const loop: Read = (source, node, parts) => {
  const from = parts.findIndex(isNamed('for'));
  const at = parts.findIndex(isNamed('in'));
  const end = parts.findIndex(isNamed('Body'));
  return {
    kind: 'for',
    target: target(source, parts.slice(from + 1, at)),
    iter: oneOrTuple(source, parts.slice(at + 1, end)),
    body: loopBody(source, parts[end]),
    orelse: bodyAfter(source, parts.slice(end), 'else'),
    ...spanOf(node),
  };
};

const attempt: Read = (source, node, parts) => {
  const handlers: Handler[] = [];
  for (const [i, part] of parts.entries()) {
    if (part.name !== 'except') continue;
    const end = parts.findIndex((each, k) => k > i && each.name === 'Body');
    const head = parts.slice(i + 1, end);
    const as = head.findIndex((each) => each.name === 'as' || each.name === ',');
    const name = as < 0 ? undefined : head[as + 1];
    handlers.push({
      type: head[0] ? expression(source, head[0]) : null,
      name: name ? source.of(name) : null,
      body: body(source, parts[end]),
    });
  }
  const final = bodyAfter(source, parts, 'finally');
  if (handlers.length === 0 && final.length === 0) {
    source.fail('the source is not valid Python here: try needs except or finally', node.from);
  }
  const tried = body(source, parts.find(isNamed('Body')));
  const orelse = bodyAfter(source, parts, 'else');
  if (tried.length === 0 || tried.some(({ kind }) => kind !== 'import'))
    return { kind: 'try', body: tried, handlers, orelse, final, ...spanOf(node) };
  // Imports do not fail here, so their handlers are left out.
  const all = [...tried, ...orelse, ...final];
  return [...all.slice(0, -1), { ...(all.at(-1) as Stmt), to: node.to }];
};

const within: Read = (source, node, parts) => {
  const from = parts.findIndex(isNamed('with'));
  const end = parts.findIndex(isNamed('Body'));
  const list = splitAt(parts.slice(from + 1, end), ',').map((part) => {
    const as = part.findIndex(isNamed('as'));
    const name = as < 0 ? undefined : part[as + 1];
    return { value: expression(source, part[0]), as: name ? source.of(name) : null };
  });
  return { kind: 'with', items: list, body: body(source, parts[end]), ...spanOf(node) };
};

function imported(
  source: Source,
  nodes: readonly SyntaxNode[],
): { path: string; as: string | null }[] {
  const names = nodes.filter(({ name }) => name !== '(' && name !== ')');
  return splitAt(names, ',')
    .filter((part) => part.length > 0)
    .map((part) => {
      const [path = [], as] = splitAt(part, 'as');
      const name = as?.[0];
      return {
        path: path.map((each) => source.of(each)).join(''),
        as: name ? source.of(name) : null,
      };
    });
}

const imports: Read = (source, node, parts) => {
  const at = parts.findIndex(isNamed('import'));
  const list = imported(source, parts.slice(at + 1));
  const module = parts
    .slice(1, at)
    .map((each) => source.of(each))
    .join('');
  const names: Imported[] =
    at === 0
      ? list.map(({ path, as }) => ({ module: path, name: null, as }))
      : list.map(({ path, as }) => ({ module, name: path, as }));
  return { kind: 'import', names, ...spanOf(node) };
};

const definition =
  (decorators: readonly Expr[]): Read =>
  (source, node, parts) => ({
    kind: 'def',
    name: source.of(parts.find(isNamed('VariableName')) as SyntaxNode),
    params: params(source, parts.find(isNamed('ParamList'))),
    body: ownBody(source, parts, ['return']),
    decorators,
    ...spanOf(node),
  });

const classOf =
  (decorators: readonly Expr[]): Read =>
  (source, node, parts) => {
    const bases = parts.find(isNamed('ArgList'));
    return {
      kind: 'class',
      name: source.of(parts[1] as SyntaxNode),
      bases: bases ? args(source, bases) : [],
      body: ownBody(source, parts, []),
      decorators,
      ...spanOf(node),
    };
  };

/** Reads `@a.b(c)`. The parser has the dotted name as a list. */
function decorator(source: Source, node: SyntaxNode): Expr {
  const parts = childrenOf(node);
  let value: Expr = expression(source, parts[1]);
  for (const part of parts.slice(2)) {
    if (part.name === 'VariableName' || part.name === 'PropertyName') {
      value = { kind: 'attr', value, name: source.of(part), at: node.from };
    } else if (part.name === 'ArgList') {
      value = { kind: 'call', fn: value, args: args(source, part), at: node.from };
    }
  }
  return value;
}

const decorated: Read = (source, _, parts) => {
  const decorators = parts.filter(isNamed('Decorator')).map((part) => decorator(source, part));
  const last = parts.at(-1) as SyntaxNode;
  const read = last.name === 'ClassDefinition' ? classOf(decorators) : definition(decorators);
  return read(source, last, childrenOf(last));
};

const word =
  (kind: 'pass' | 'break' | 'continue'): Read =>
  (source, node) => {
    if (kind !== 'pass') requireAllowed(source, kind, node);
    return { kind, ...spanOf(node) };
  };

function requireAllowed(source: Source, word_: string, node: SyntaxNode): void {
  if (source.allowed.has(word_)) return;
  const place = word_ === 'return' ? 'a function' : 'a loop';
  source.fail(`the source is not valid Python here: ${word_} is outside of ${place}`, node.from);
}

const valued =
  (kind: 'return' | 'raise'): Read =>
  (source, node, parts) => {
    if (kind === 'return') requireAllowed(source, kind, node);
    const from = parts.findIndex(isNamed('from'));
    const rest = parts.slice(1, from < 0 ? undefined : from);
    return { kind, value: rest.length > 0 ? oneOrTuple(source, rest) : null, ...spanOf(node) };
  };

const readers: { readonly [name: string]: Read } = {
  AssignStatement: assignment,
  UpdateStatement: (source, node, parts) => {
    const at = parts.findIndex(isNamed('UpdateOp'));
    return {
      kind: 'aug',
      target: target(source, parts.slice(0, at)),
      op: source.of(parts[at] as SyntaxNode).slice(0, -1),
      value: oneOrTuple(source, parts.slice(at + 1)),
      ...spanOf(node),
    };
  },
  ExpressionStatement: (source, node, parts) => ({
    kind: 'expr',
    value: oneOrTuple(source, parts),
    ...spanOf(node),
  }),
  // Python 2's `print x`.
  PrintStatement: (source, node, parts) => ({
    kind: 'expr',
    value: {
      kind: 'call',
      fn: { kind: 'name', id: 'print', at: node.from },
      args: items(source, parts.slice(1)).map((value) => ({ name: null, star: '', value })),
      at: node.from,
    },
    ...spanOf(node),
  }),
  YieldStatement: (source, node, parts) => ({
    kind: 'expr',
    value: yieldOf(source, node, parts),
    ...spanOf(node),
  }),
  DeleteStatement: (source, node, parts) => ({
    kind: 'del',
    targets: items(source, parts.slice(1)).map((each) => targetOf(source, each)),
    ...spanOf(node),
  }),
  AssertStatement: (source, node, parts) => {
    const [test, message] = items(source, parts.slice(1)) as [Expr, Expr?];
    return { kind: 'assert', test, message: message ?? null, ...spanOf(node) };
  },
  ScopeStatement: (source, node, parts) => ({
    kind: 'scope',
    names: parts.filter(isNamed('VariableName')).map((part) => source.of(part)),
    ...spanOf(node),
  }),
  WhileStatement: (source, node, parts) => ({
    kind: 'while',
    test: expression(source, parts[1]),
    body: loopBody(source, parts.find(isNamed('Body'))),
    orelse: bodyAfter(source, parts, 'else'),
    ...spanOf(node),
  }),
  PassStatement: word('pass'),
  BreakStatement: word('break'),
  ContinueStatement: word('continue'),
  ReturnStatement: valued('return'),
  RaiseStatement: valued('raise'),
  ImportStatement: imports,
  IfStatement: conditional,
  ForStatement: loop,
  TryStatement: attempt,
  WithStatement: within,
  FunctionDefinition: definition([]),
  ClassDefinition: classOf([]),
  DecoratedStatement: decorated,
};

/** Returns the comments. Throws PortError at a name that Python refuses. */
function commentsOf(source: Source, root: SyntaxNode): Comment[] {
  const { text, original } = source;
  const comments: Comment[] = [];
  root.cursor().iterate(({ name, from, to }) => {
    if (name === 'VariableName' || name === 'PropertyName') {
      const id = text.slice(from, to);
      if (!isIdentifier(id) && original.startsWith(id, from)) {
        source.fail('the source is not valid Python here: a name has letters and digits', from);
      }
    } else if (name === 'Comment') {
      const start = text.lastIndexOf('\n', from - 1) + 1;
      const isTrailing = text.slice(start, from).trim() !== '';
      // A line of IPython is a comment as a whole.
      const isOwn = original[from] === '#';
      const words = isOwn ? original.slice(from + 1, to) : ` ${original.slice(start, to).trim()}`;
      comments.push({ text: words.trimEnd(), isTrailing, at: from });
    }
  });
  return comments;
}

/** Reads a program. Throws PortError where it is not Python, or nested too deeply. */
export function readModule(source: Source): Module {
  const root = source.parse();
  const comments = commentsOf(source, root);
  return { body: statements(source, childrenOf(root)), comments };
}

// SPDX-License-Identifier: MIT
// Functions and lambdas.
import { type Body, type Def, type Lambda, type Param, walk } from './ast.js';
import { type Code, code, level, type Port, within } from './context.js';
import { bodyDoc } from './literals.js';
import { block, type Doc, object, unpacking } from './print.js';
import { Scope } from './scope.js';
import { variable } from './targets.js';
import { bool, dictOf, int, type Fn, listOf, num, str, tensor, type Type } from './types.js';

/** Runs a function in the scope of a function of the program. */
export function inScope<T>(port: Port, node: Def | Lambda, fn: Fn, body: Body, run: () => T): T {
  const [outer, outerFn] = [port.scope, port.fn];
  let last = port.memory.scopes.get(node);
  if (!last) {
    last = new Map();
    port.memory.scopes.set(node, last);
  }
  port.scope = new Scope(outer, last, fn.params, body, true);
  port.fn = fn;
  for (const param of fn.params) {
    const type = typeOf(port, param, fn);
    if (type) port.scope.types.set(param.name, type);
  }
  try {
    return run();
  } finally {
    port.scope = outer;
    port.fn = outerFn;
  }
}

/** Names of parameters that tell what they are. */
const hints: readonly (readonly [RegExp, Type])[] = [
  [/^(y_true|y_pred|logits|input_ids|token_ids|sample_weight)$/, tensor],
  [/^(input_shape|shape|output_shape)$/, listOf(int)],
  [/^logs$/, dictOf(num)],
  [/^(epoch|batch|step)$/, int],
];
const annotations: { readonly [name: string]: Type } = { int, float: num, bool, str };

function typeOf(port: Port, { name, star, value, annotation }: Param, fn: Fn): Type | null {
  if (star === '*') return listOf(null);
  if (star === '**') return dictOf(null);
  const known = fn.types.get(name);
  if (known && known.k !== 'none') return known;
  if (Object.hasOwn(annotations, annotation)) return annotations[annotation] as Type;
  const hint = hints.find(([pattern]) => pattern.test(name))?.[1];
  if (hint) return hint;
  const type = value ? port.expr(value).type : null;
  return type?.k === 'none' ? null : type;
}

/** Writes parameters: by position, those with `*` as rest, those after it in an object. */
export function parameters(port: Port, params: readonly Param[]): Doc[] {
  const docs: Doc[] = [];
  const named: Doc[] = [];
  for (const param of params) {
    const name = variable(port, param.name);
    if (param.star === '*') docs.push(['...', name]);
    else if (param.star === '**') named.push(['...', name]);
    else if (param.isKeyword) named.push(withDefault(port, name, param));
    else docs.push(withDefault(port, name, param));
  }
  const rest = params.find(({ star }) => star === '*');
  const names = unpacking(
    object(named),
    params.some(({ star }) => star === '**'),
  );
  if (named.length > 0 && !rest) docs.push([names, ' = {}']);
  else if (named.length > 0) docs.splice(docs.length - 1, 0, [names, ' = {}']);
  return docs;
}

const withDefault = (port: Port, name: string, { value }: Param): Doc =>
  value ? [name, ' = ', within(port.expr(value), 1)] : name;

/** Writes a lambda. */
export function arrow(port: Port, node: Lambda): Code {
  const { params, body } = node;
  const fn = port.fnOf(node);
  const doc = inScope(port, node, fn, [], () => {
    const names = parameters(port, params);
    const value = port.expr(body);
    fn.result = value.type ?? fn.result;
    const word = fn.isAsync ? 'async ' : '';
    return [
      `${word}(`,
      ...names.flatMap((name, i): Doc[] => (i > 0 ? [', ', name] : [name])),
      ') => ',
      bodyDoc(value),
    ];
  });
  return code(doc, level.arrow, { k: 'fn', fn });
}

/** Returns whether a function yields. */
export function yields(body: Body): boolean {
  let found = false;
  walk(body, (node) => {
    if (node.kind === 'yield') found = true;
    return node.kind !== 'def' && node.kind !== 'class' && node.kind !== 'lambda';
  });
  return found;
}

/** Writes the parameters and the body of a function. */
export function functionParts(
  port: Port,
  node: Def,
  fn: Fn,
  params: readonly Param[] = node.params,
): { head: Doc; body: Doc } {
  return inScope(port, node, fn, node.body, () => {
    const names = parameters(port, params);
    fn.isGenerator = yields(node.body);
    return {
      head: { open: '(', items: names, close: ')', hasComma: false },
      body: block(port.parts.lines(port, node.body)),
    };
  });
}

/** Writes a function of the program: a declaration, or an arrow function inside a method. */
export function definition(port: Port, node: Def): Doc {
  const fn = port.fnOf(node);
  const name = variable(port, node.name);
  const { self } = port;
  if (self && yields(node.body)) port.self = { ...self, hasSuper: false };
  const { head, body } = functionParts(port, node, fn);
  port.self = self;
  const word = fn.isAsync ? 'async ' : '';
  if (port.self && !fn.isGenerator) return [`const ${name} = ${word}`, head, ' => ', body, ';'];
  if (port.self) return [`const ${name} = ${word}function* `, head, ' ', body, '.bind(this);'];
  return [`${word}function${fn.isGenerator ? '*' : ''} ${name}`, head, ' ', body];
}

// SPDX-License-Identifier: MIT
// `tf.GradientTape`: a with statement and the call of `tape.gradient` become valueAndGradients.
import type { Assign, Body, Call, Expr, Stmt } from './ast.js';
import { walk } from './ast.js';
import { type Port, within } from './context.js';
import { block, type Doc, list, mark, object, whole } from './print.js';
import { targetNames } from './scope.js';
import { scopeOf, setType, variable } from './targets.js';
import { listOf, tensor } from './types.js';
import { canonical } from './paths.js';

interface Taped {
  readonly lines: Doc[];
  /** Index of the last statement that the lines replace. */
  readonly last: number;
}

function tapeName(port: Port, stmt: Stmt | undefined): string | null {
  if (stmt?.kind !== 'with' || stmt.items.length !== 1) return null;
  const [item] = stmt.items;
  if (!item?.as || item.value.kind !== 'call' || item.value.fn.kind !== 'attr') return null;
  const { type } = port.expr(item.value.fn.value);
  const path = type?.k === 'lib' ? canonical(`${type.path}.${item.value.fn.name}`) : '';
  return path === 'tensorflow.GradientTape' ? item.as : null;
}

/** Returns the call `tape.gradient(loss, variables)` of a statement. */
function gradientCall(stmt: Stmt | undefined, tape: string): Call | null {
  const value = stmt?.kind === 'assign' ? stmt.value : null;
  if (value?.kind !== 'call' || value.fn.kind !== 'attr' || value.fn.name !== 'gradient')
    return null;
  return value.fn.value.kind === 'name' && value.fn.value.id === tape ? value : null;
}

/** Translates a tape with its gradients; undefined for other statements. */
export function taped(port: Port, body: Body, index: number): Taped | undefined {
  const stmt = body[index];
  const tape = tapeName(port, stmt);
  if (!tape || stmt?.kind !== 'with') return undefined;
  const at = body.findIndex((each, i) => i > index && gradientCall(each, tape) !== null);
  const call = gradientCall(body[at], tape);
  const [loss, variables] = call?.args ?? [];
  if (!call || !loss || !variables || loss.value.kind !== 'name') return undefined;
  const between = body.slice(index + 1, at);
  const { lines, kept } = stepOf(port, stmt, loss.value.id, rest(body, index, at));
  const before = port.parts.lines(
    port,
    between.filter((each) => !usesAny(each, kept)),
  );
  const after = port.parts.lines(
    port,
    between.filter((each) => usesAny(each, kept)),
  );
  const target = (body[at] as Assign).targets[0] as Expr;
  const head = resultNames(port, loss.value.id, kept, target);
  const options: Doc[] = kept.length > 0 ? [object(['hasAux: true'])] : [];
  const items: Doc[] = [
    ['() => ', block(lines)],
    within(port.expr(variables.value), 1),
    ...options,
  ];
  setType(port, loss.value.id, tensor);
  for (const name of targetNames(target)) setType(port, name, listOf(tensor));
  port.name('valueAndGradients', true);
  if (rest(body, index, at).some((each) => usesAny(each, [tape]))) {
    // A tape returns gradients once.
    scopeOf(port, tape).absent.set(tape, stmt.at);
  }
  const value: Doc = { open: 'valueAndGradients(', items, close: ')' };
  const names = [...new Set([loss.value.id, ...kept, ...targetNames(target)])];
  const own = names.filter((name) => declaredIn(port, [stmt, body[at] as Stmt], name));
  const js = own.map((name) => variable(port, name));
  const later = body.slice(at + 1);
  const word = own.some((name) => writes(later, name)) ? 'let ' : 'const ';
  const step: Doc[] =
    own.length === names.length
      ? [[mark(stmt.at), word, head, ' = ', value, ';']]
      : [
          ...(own.length > 0 ? [`let ${js.join(', ')};`] : []),
          [mark(stmt.at), '(', head, ' = ', value, ');'],
        ];
  return { lines: [...before, ...step, ...after], last: at };
}

/** Returns whether one of some statements declares a variable, not one outside of them. */
function declaredIn(port: Port, body: Body, name: string): boolean {
  let found = !port.scope.has(name);
  walk(body, (node) => {
    const isStmt = 'to' in node;
    found ||= isStmt && port.scope.before(node).includes(name);
    found ||= isStmt && port.scope.declares(node, [name]) !== '';
    return node.kind !== 'def' && node.kind !== 'class' && node.kind !== 'lambda';
  });
  return found;
}

/** Returns whether statements assign a variable again. */
function writes(body: Body, name: string): boolean {
  let found = false;
  walk(body, (node) => {
    const targets =
      node.kind === 'assign'
        ? node.targets
        : node.kind === 'aug' || node.kind === 'for'
          ? [node.target]
          : [];
    found ||= targets.flatMap(targetNames).includes(name);
    return true;
  });
  return found;
}

const rest = (body: Body, index: number, at: number): Body => [
  ...body.slice(index + 1, at),
  ...body.slice(at + 1),
];

function namesIn(part: unknown): Set<string> {
  const names = new Set<string>();
  walk(part, (node) => {
    if (node.kind === 'name') names.add(node.id);
    return true;
  });
  return names;
}

const usesAny = (stmt: Stmt, names: readonly string[]): boolean => {
  const used = namesIn(stmt);
  return names.some((name) => used.has(name));
};

/** Translates the body of the tape as a function that returns the loss and what later code uses. */
function stepOf(
  port: Port,
  stmt: Stmt & { readonly body: Body },
  loss: string,
  later: Body,
): { lines: Doc[]; kept: string[] } {
  const { body } = stmt;
  const lines = port.parts.lines(port, body);
  const written = new Set<string>();
  walk(body, (node) => {
    if (node.kind === 'assign')
      for (const name of node.targets.flatMap(targetNames)) written.add(name);
    return node.kind !== 'def' && node.kind !== 'lambda';
  });
  const used = namesIn(later);
  const isOuter = (name: string): boolean =>
    !declaredIn(port, body, name) && !port.scope.before(stmt).includes(name);
  const kept = [...written].filter((name) => name !== loss && (used.has(name) || isOuter(name)));
  const js = variable(port, loss);
  const names = kept.map((name) => variable(port, name));
  const result: Doc =
    kept.length === 0 ? js : list([js, kept.length === 1 ? (names[0] as string) : list(names)]);
  // The names of the results are those of later code, so the function declares its own.
  const text = whole(block(lines));
  const own = [js, ...names].filter(
    (name) => !new RegExp(`\\b(const|let) (\\[[^\\]]*)?${name}\\b`).test(text),
  );
  const head: Doc[] = own.length > 0 ? [`let ${own.join(', ')};`] : [];
  return { lines: [...head, ...lines, ['return ', result, ';']], kept };
}

function resultNames(port: Port, loss: string, kept: readonly string[], target: Expr): Doc {
  const names = kept.map((name) => variable(port, name));
  const aux: Doc[] =
    names.length === 0 ? [] : [['aux: ', names.length === 1 ? (names[0] as string) : list(names)]];
  const js = target.kind === 'name' ? variable(port, target.id) : 'gradients';
  const gradients = js === 'gradients' ? js : `gradients: ${js}`;
  return object([`value: ${variable(port, loss)}`, ...aux, gradients]);
}

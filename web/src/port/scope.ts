// SPDX-License-Identifier: MIT
// Where variables of a function are declared: Python's belong to the function, JavaScript's to a
// block.
import { type Body, type Expr, type Param, type Stmt, walk } from './ast.js';
import type { Type } from './types.js';

interface Step {
  readonly body: Body;
  /** Index of the statement; -1 for the head of a loop or handler. */
  readonly index: number;
}

interface Variable {
  path: readonly Step[];
  writes: number;
  reads: number;
  /** First statement that writes it. */
  firstWrite: Stmt | null;
}

const targetNames = (target: Expr): string[] => {
  if (target.kind === 'name') return [target.id];
  if (target.kind === 'star') return targetNames(target.value);
  if (target.kind === 'list' || target.kind === 'tuple') return target.items.flatMap(targetNames);
  return [];
};
export { targetNames };

/** Returns the parts of a target that are not variables. */
function places(target: Expr): Expr[] {
  if (target.kind === 'name') return [];
  if (target.kind === 'star') return places(target.value);
  return target.kind === 'list' || target.kind === 'tuple'
    ? target.items.flatMap(places)
    : [target];
}

/** Returns the names that a statement binds itself. */
export function boundBy(stmt: Stmt): string[] {
  if (stmt.kind === 'assign') return stmt.value ? stmt.targets.flatMap(targetNames) : [];
  if (stmt.kind === 'aug') return targetNames(stmt.target);
  if (stmt.kind === 'def' || stmt.kind === 'class') return [stmt.name];
  if (stmt.kind === 'with') return stmt.items.flatMap(({ as }) => (as ? [as] : []));
  if (stmt.kind === 'import') return [...(stmt.rebound ?? [])];
  return [];
}

/** Returns the names that an import binds. */
function importedNames(stmt: Stmt & { kind: 'import' }): string[] {
  return stmt.names.flatMap(({ module, name, as }) => {
    if (name === '*') return [];
    return [as ?? name ?? (module.split('.')[0] as string)];
  });
}

/** Returns the names that `global` and `nonlocal` of a function name. */
function outerNames(body: Body): Set<string> {
  const names = new Set<string>();
  walk(body, (node) => {
    if (node.kind === 'scope') for (const name of node.names) names.add(name);
    return node.kind !== 'def' && node.kind !== 'class' && node.kind !== 'lambda';
  });
  return names;
}

/** The variables of a function or of the module. */
export class Scope {
  readonly variables = new Map<string, Variable>();
  /** Types of variables at the place that is being translated. */
  readonly types = new Map<string, Type>();
  /** Names without a value, with the offset of the statement that is a comment. */
  readonly absent = new Map<string, number>();
  readonly #outer: ReadonlySet<string>;
  readonly parameters: ReadonlySet<string>;
  /** Names that are declared before a statement. */
  readonly #before = new Map<Stmt, string[]>();
  /** Names that a statement declares itself. */
  readonly #inline = new Map<Stmt, Set<string>>();

  constructor(
    readonly parent: Scope | null,
    /** Types of variables at the end of the last pass. */
    readonly last: Map<string, Type>,
    params: readonly Param[],
    body: Body,
    /** Names of which the scope is that of a function. */
    readonly isFunction: boolean,
  ) {
    this.#outer = outerNames(body);
    this.parameters = new Set(params.map(({ name }) => name));
    this.#collect(body);
    this.#visit(body, []);
    this.#place();
  }

  /** Returns whether a name belongs to this scope. */
  has(name: string): boolean {
    return this.parameters.has(name) || this.variables.has(name);
  }

  find(name: string): Scope | null {
    for (let scope: Scope | null = this; scope; scope = scope.parent)
      if (scope.has(name)) return scope;
    return null;
  }

  typeOf(name: string): Type | null {
    return this.types.get(name) ?? this.last.get(name) ?? null;
  }

  /** Returns the names to declare with `let` before a statement. */
  before(stmt: Stmt): readonly string[] {
    return this.#before.get(stmt) ?? [];
  }

  /** Returns the word that declares all these names in a statement, or ''. */
  declares(stmt: Stmt, names: readonly string[]): '' | 'const' | 'let' {
    const inline = this.#inline.get(stmt);
    if (!inline || names.length === 0 || !names.every((name) => inline.has(name))) return '';
    const isChanged = (name: string): boolean =>
      (this.variables.get(name)?.writes ?? 0) > 1 || this.last.has(`${name}=`);
    return names.some(isChanged) ? 'let' : 'const';
  }

  #collect(body: Body): void {
    walk(body, (node) => {
      for (const name of 'to' in node ? boundBy(node) : []) this.#add(name);
      if (node.kind === 'import') for (const name of importedNames(node)) this.#add(name);
      if (node.kind === 'for') for (const name of targetNames(node.target)) this.#add(name);
      if (node.kind === 'try') for (const { name } of node.handlers) if (name) this.#add(name);
      if (node.kind === 'walrus') this.#add(node.name);
      return node.kind !== 'def' && node.kind !== 'class' && node.kind !== 'lambda';
    });
  }

  #add(name: string): void {
    if (this.#outer.has(name) || this.parameters.has(name) || this.variables.has(name)) return;
    this.variables.set(name, { path: [], writes: 0, reads: 0, firstWrite: null });
  }

  #refer(name: string, path: readonly Step[], stmt: Stmt, isWrite: boolean): void {
    const variable = this.variables.get(name);
    if (!variable) return;
    if (!isWrite) variable.reads++;
    if (isWrite) {
      variable.writes++;
      variable.firstWrite ??= stmt;
    }
    if (variable.path.length === 0) {
      variable.path = path;
      return;
    }
    let length = 0;
    while (path[length]?.body === variable.path[length]?.body && length < variable.path.length) {
      length++;
      // Different statements of one body have nothing deeper in common.
      if (path[length - 1]?.index !== variable.path[length - 1]?.index) break;
    }
    variable.path = variable.path.slice(0, length);
  }

  #expressions(
    part: unknown,
    path: readonly Step[],
    stmt: Stmt,
    hidden: ReadonlySet<string>,
  ): void {
    walk(part, (node) => {
      if (node.kind === 'name' && !hidden.has(node.id)) this.#refer(node.id, path, stmt, false);
      if (node.kind === 'walrus') {
        this.#refer(node.name, path, stmt, true);
        this.#refer(node.name, path, stmt, true);
      }
      if (node.kind === 'aug') {
        for (const name of targetNames(node.target)) this.#refer(name, path, stmt, true);
      }
      if (node.kind === 'lambda' || node.kind === 'comp') {
        const inside = new Set([...hidden, ...ownNames(node)]);
        this.#expressions(Object.values(node), path, stmt, inside);
        return false;
      }
      if (node.kind === 'def' || node.kind === 'class') {
        this.#nested(node, path, stmt, hidden);
        return false;
      }
      return true;
    });
  }

  /** Counts what a nested function or class reads, and what it writes with `nonlocal`. */
  #nested(
    node: Stmt & { kind: 'def' | 'class' },
    path: readonly Step[],
    stmt: Stmt,
    hidden: ReadonlySet<string>,
  ): void {
    const outer = outerNames(node.body);
    for (const name of outer) {
      this.#refer(name, path, stmt, true);
      this.#refer(name, path, stmt, true);
    }
    const own = new Set(hidden);
    if (node.kind === 'def') {
      for (const { name } of node.params) own.add(name);
      walk(node.body, (each) => {
        for (const name of 'to' in each ? boundBy(each) : []) if (!outer.has(name)) own.add(name);
        return each.kind !== 'def' && each.kind !== 'class' && each.kind !== 'lambda';
      });
      this.#expressions([node.decorators, node.params], path, stmt, hidden);
    } else this.#expressions([node.decorators, node.bases], path, stmt, hidden);
    this.#expressions(node.body, path, stmt, own);
  }

  #visit(body: Body, path: readonly Step[]): void {
    for (const [index, stmt] of body.entries()) this.#statement(stmt, [...path, { body, index }]);
  }

  #statement(stmt: Stmt, path: readonly Step[]): void {
    const none = new Set<string>();
    const head = (inner: Body): readonly Step[] => [...path, { body: inner, index: -1 }];
    if (stmt.kind === 'if' || stmt.kind === 'while') {
      this.#expressions(stmt.test, path, stmt, none);
      this.#visit(stmt.body, path);
      this.#visit(stmt.orelse, path);
    } else if (stmt.kind === 'for') {
      this.#expressions(stmt.iter, path, stmt, none);
      const target = stmt.target.kind === 'name' || stmt.target.kind === 'tuple';
      for (const name of targetNames(stmt.target)) this.#refer(name, head(stmt.body), stmt, true);
      if (!target) this.#expressions(stmt.target, path, stmt, none);
      this.#visit(stmt.body, path);
      this.#visit(stmt.orelse, path);
    } else if (stmt.kind === 'try') {
      this.#visit(stmt.body, path);
      for (const { type, name, body } of stmt.handlers) {
        this.#expressions(type, path, stmt, none);
        if (name) this.#refer(name, head(body), stmt, true);
        this.#visit(body, path);
      }
      this.#visit(stmt.orelse, path);
      this.#visit(stmt.final, path);
    } else if (stmt.kind === 'with') {
      this.#expressions(stmt.items, path, stmt, none);
      for (const name of boundBy(stmt)) this.#refer(name, path, stmt, true);
      this.#visit(stmt.body, path);
    } else {
      for (const name of boundBy(stmt)) this.#refer(name, path, stmt, true);
      if (stmt.kind === 'def' || stmt.kind === 'class') this.#nested(stmt, path, stmt, none);
      else if (stmt.kind === 'assign') {
        this.#expressions([stmt.value, stmt.targets.flatMap(places)], path, stmt, none);
      } else this.#expressions(Object.values(stmt), path, stmt, none);
    }
  }

  /** Chooses the statement that declares each variable. */
  #place(): void {
    const underscore = this.variables.get('_');
    if (underscore && underscore.reads === 0) this.variables.delete('_');
    for (const [name, { path, firstWrite, writes }] of this.variables) {
      const step = path.at(-1);
      if (!step || !firstWrite) continue;
      const binds = isLoopOrTry(firstWrite) || boundBy(firstWrite).includes(name);
      const isDefinition = firstWrite.kind === 'def' || firstWrite.kind === 'class';
      // Declarations of functions hold in their whole block.
      if (isDefinition && writes === 1 && step.body.includes(firstWrite)) continue;
      const isOwn = binds && (step.index < 0 || step.body[step.index] === firstWrite);
      const isLoop = firstWrite.kind === 'for' || firstWrite.kind === 'try';
      const isWith = firstWrite.kind === 'with';
      const isInline = isOwn && step.index < 0 === isLoop && firstWrite.kind !== 'aug' && !isWith;
      if (isInline)
        this.#inline.set(firstWrite, (this.#inline.get(firstWrite) ?? new Set()).add(name));
      else {
        const stmt = step.index < 0 ? firstWrite : (step.body[step.index] as Stmt);
        this.#before.set(stmt, [...(this.#before.get(stmt) ?? []), name]);
      }
    }
  }
}

const isLoopOrTry = ({ kind }: Stmt): boolean => kind === 'for' || kind === 'try';

/** Returns the names that a lambda or comprehension binds. */
function ownNames(node: Expr): string[] {
  if (node.kind === 'lambda') return node.params.map(({ name }) => name);
  return node.kind === 'comp' ? node.clauses.flatMap(({ target }) => targetNames(target)) : [];
}

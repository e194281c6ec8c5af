// SPDX-License-Identifier: MIT
// The state of one translation: notes, imported names, scopes, what is known of classes.
import type { Body, Class, Def, Expr, Lambda, Stmt } from './ast.js';
import type { Comments } from './comments.js';
import { Identifiers } from './identifiers.js';
import type { Doc } from './print.js';
import type { Scope } from './scope.js';
import { any, type ClassInfo, type Fn, tensor, type Type } from './types.js';

/** A piece of JavaScript with its precedence and what is known of its value. */
export interface Code {
  readonly doc: Doc;
  readonly prec: number;
  readonly type: Type | null;
}

/** Precedences of JavaScript. */
export const level = {
  arrow: 1,
  conditional: 2,
  nullish: 3,
  or: 4,
  and: 5,
  bitOr: 6,
  bitXor: 7,
  bitAnd: 8,
  equality: 9,
  relational: 10,
  shift: 11,
  additive: 12,
  multiplicative: 13,
  power: 14,
  unary: 15,
  call: 17,
  primary: 18,
} as const;

export const code = (doc: Doc, prec: number, type: Type | null = null): Code => ({
  doc,
  prec,
  type,
});
export const primary = (doc: Doc, type: Type | null = null): Code => code(doc, level.primary, type);
export const called = (doc: Doc, type: Type | null = null): Code => code(doc, level.call, type);

/** Returns the code in parentheses if its precedence is lower. */
export const within = ({ doc, prec }: Code, least: number): Doc =>
  prec < least || (least === level.call && isWhole(doc)) ? ['(', doc, ')'] : doc;

/** Returns whether code is a number whose dot would be a decimal point. */
const isWhole = (doc: Doc): boolean => typeof doc === 'string' && /^\d+$/.test(doc);

export interface Draft {
  readonly at: number;
  readonly kind: string;
  readonly text: string;
}

/** Knowledge that one pass hands to the next one. */
export interface Memory {
  readonly fns: Map<object, Fn>;
  readonly classes: Map<Class, ClassInfo>;
  readonly scopes: Map<object, Map<string, Type>>;
  readonly imported: ReadonlySet<string>;
  /** Whether the program changes entries of `weights`, which must be variables then. */
  readonly hasWeights: { value: boolean };
  /** Members such as `Model.x`: whether a statement that is translated gives them a value. */
  readonly members: Map<string, boolean>;
  /** Offsets and names of statements that are comments, although the program uses their values. */
  readonly missing: Set<string>;
}

/** Functions that run parts of the translation; port.ts connects them. */
export interface Parts {
  expr(port: Port, node: Expr): Code;
  /** Statements of a body as lines. */
  lines(port: Port, body: Body): Doc[];
  arrow(port: Port, node: Lambda): Code;
}

export class Port {
  readonly notes = new Map<string, Draft>();
  /** Names of the package that the program uses. */
  readonly used = new Set<string>();
  /** Imports of other modules: the module with its names. */
  readonly others = new Map<string, Set<string>>();
  /** Names of imports from modules of the program that variables have, too. */
  readonly aliases = new Map<string, string>();
  readonly helpers = new Set<string>();
  readonly identifiers: Identifiers;
  scope!: Scope;
  /** Class whose method is translated, with the name of its first parameter. */
  self: {
    readonly name: string;
    readonly info: ClassInfo;
    readonly method: string;
    readonly isClass: boolean;
    /** False in a generator inside a method, which is not an arrow function. */
    readonly hasSuper?: boolean;
  } | null = null;
  /** The function that is translated. */
  fn: Fn | null = null;
  needsTraining = false;
  /** Whether a handler waits for missing items. */
  isTrying = false;
  /** Whether each model was compiled with metrics, by its code; '' for the last one. */
  readonly metrics = new Map<string, boolean>();
  seed: Doc | null = null;
  /** Names that imports bind, with their paths. */
  readonly libraries = new Map<string, string>();
  /** Modules of which all names are imported. */
  readonly stars: string[] = [];
  /** Names that nothing defines. */
  readonly unbound = new Set<string>();
  /** Loops by their offset. */
  readonly loops = new Map<number, Stmt>();
  /** Call that prints the masks of the last model that ran on a variable. */
  traced: Doc | null = null;
  /** Values that the current statement needs, as in `missing`. */
  asked: string[] = [];
  /** Names that may lack a value where they are, with their type then. */
  readonly admitted = new WeakMap<Expr, Type>();
  /** Lines to insert before the current statement. */
  ahead: Doc[] = [];

  constructor(
    readonly memory: Memory,
    readonly parts: Parts,
    readonly source: string,
    readonly comments: Comments,
  ) {
    this.identifiers = new Identifiers(memory.imported);
  }

  expr(node: Expr): Code {
    return this.parts.expr(this, node);
  }

  /** Translates what a statement assigns to or deletes, which may be missing. */
  place(node: Expr): Code {
    const outer = this.isTrying;
    this.isTrying = false;
    try {
      return this.expr(node);
    } finally {
      this.isTrying = outer;
    }
  }

  /**
   * Marks the names of an argument that the package checks: those without a value remain, and a
   * run ends there with an error. Returns whether there is one.
   */
  admit(node: Expr | undefined, type: Type = any): boolean {
    if (node?.kind === 'name') {
      this.admitted.set(node, type);
      return this.scope.find(node.id)?.absent.has(node.id) ?? false;
    }
    if (node?.kind === 'sub') return this.admit(node.value, tensor);
    if (node?.kind === 'tuple' || node?.kind === 'list')
      return node.items.map((item) => this.admit(item, type)).includes(true);
    if (node?.kind === 'dict')
      return node.entries.map(({ value }) => this.admit(value, type)).includes(true);
    return false;
  }

  /** Adds a note, once for each place. */
  note(at: number, kind: string, text: string): void {
    this.notes.set(`${at} ${kind} ${text}`, { at, kind, text });
  }

  /** Returns a name of the package, which the program then imports. */
  name(name: string, isTraining = false): string {
    this.used.add(name);
    if (isTraining || trainingNames.has(name)) this.needsTraining = true;
    return name;
  }

  /** Returns the name of a function that the program then defines. */
  helper(name: string): string {
    this.helpers.add(name);
    return name;
  }

  fnOf(node: Def | Lambda): Fn {
    let fn = this.memory.fns.get(node);
    if (!fn) {
      fn = {
        params: node.params,
        types: new Map(),
        result: null,
        isAsync: false,
        isGenerator: false,
      };
      this.memory.fns.set(node, fn);
    }
    return fn;
  }

  /** Returns `await` with code, and makes the current function asynchronous. */
  awaited(doc: Doc, type: Type | null): Code {
    if (this.fn) this.fn.isAsync = true;
    return code(['await ', doc], level.unary, type);
  }
}

/** Names that only maskflow/train exports. */
const trainingNames = new Set(
  'optimizers schedules callbacks constraints Callback Optimizer cloneModel toCategorical timeseriesWindows splitDataset valueAndGradients evaluateBatches predictBatches'.split(
    ' ',
  ),
);

// SPDX-License-Identifier: MIT
// Types of the values of a program, as far as they are known: enough to choose between `+` and
// `ops.add`.
import type { Attr, Class, Param } from './ast.js';

/** A function of the program. */
export interface Fn {
  readonly params: readonly Param[];
  /** Types of its parameters, joined over all calls. */
  readonly types: Map<string, Type>;
  result: Type | null;
  isAsync: boolean;
  isGenerator: boolean;
}

/** Kinds of classes by what they extend. */
export type Base =
  | 'Layer'
  | 'Model'
  | 'Loss'
  | 'Metric'
  | 'Callback'
  | 'Regularizer'
  | 'Dataset'
  | 'plain';

/** A class of the program. */
export interface ClassInfo {
  readonly node: Class;
  base: Base;
  parent: ClassInfo | null;
  readonly attributes: Map<string, Type>;
  readonly methods: Map<string, Fn>;
  /** Names of methods that are properties. */
  readonly properties: Set<string>;
  /** Whether the constructor accepts an object of settings, because Python's has `**kwargs`. */
  takesConfig: boolean;
}

export type Type =
  | { readonly k: 'tensor' | 'inputs' | 'variable' | 'bool' | 'str' | 'none' | 'any' | 'slice' }
  | { readonly k: 'num'; readonly isInt?: boolean }
  /** `outputs` is known of a model with several outputs. */
  | { readonly k: 'model'; readonly outputs?: Type }
  | { readonly k: 'layer'; readonly name?: string }
  | {
      readonly k:
        | 'optimizer'
        | 'metric'
        | 'loss'
        | 'callback'
        | 'history'
        | 'tape'
        | 'text'
        | 'scaler'
        | 'schedule';
    }
  | {
      readonly k: 'list' | 'set' | 'iterator';
      readonly item: Type | null;
      readonly items?: readonly (Type | null)[];
    }
  | { readonly k: 'dict'; readonly item: Type | null; readonly hasNumbers?: boolean }
  | { readonly k: 'lib'; readonly path: string }
  /** One of several names of libraries. */
  | { readonly k: 'choice'; readonly paths: readonly string[] }
  /** An entry of `weights`, which only describes a variable here. */
  | { readonly k: 'weight' }
  | { readonly k: 'fn'; readonly fn: Fn }
  | { readonly k: 'class'; readonly info: ClassInfo }
  | { readonly k: 'object'; readonly info: ClassInfo };

export const tensor: Type = { k: 'tensor' };
export const num: Type = { k: 'num' };
export const int: Type = { k: 'num', isInt: true };
export const str: Type = { k: 'str' };
export const bool: Type = { k: 'bool' };
export const none: Type = { k: 'none' };
export const any: Type = { k: 'any' };
export const listOf = (item: Type | null): Type => ({ k: 'list', item });
export const dictOf = (item: Type | null): Type => ({ k: 'dict', item });

/** Returns what is known of a value that has one of two types. */
export function join(a: Type | null | undefined, b: Type | null | undefined): Type | null {
  if (!a || !b) return a ?? b ?? null;
  if (a === b || b.k === 'none') return a;
  if (a.k === 'none') return b;
  if (a.k === b.k) {
    if (a.k === 'list' || a.k === 'dict' || a.k === 'iterator' || a.k === 'set') {
      const item = join(a.item, (b as typeof a).item);
      if (a.k !== 'dict') return { k: a.k, item };
      // One of them may be empty.
      return { k: 'dict', item, hasNumbers: a.hasNumbers || (b as typeof a).hasNumbers };
    }
    if (a.k === 'num') return a.isInt && (b as typeof a).isInt ? a : num;
    if (a.k === 'object') return a.info === (b as typeof a).info ? a : baseType(a.info);
    if (a.k === 'lib') return a.path === (b as typeof a).path ? a : choice(a, b);
    if (a.k === 'choice') return choice(a, b);
    return a;
  }
  if (isName(a) && isName(b)) return choice(a, b);
  const [first, second] = [baseOf(a), baseOf(b)];
  if (first === second) return { k: first } as Type;
  if ((first === 'layer' && second === 'model') || (first === 'model' && second === 'layer')) {
    return { k: 'layer' };
  }
  if ((a.k === 'tensor' && b.k === 'inputs') || (a.k === 'inputs' && b.k === 'tensor'))
    return tensor;
  if ((a.k === 'bool' && b.k === 'num') || (a.k === 'num' && b.k === 'bool')) return num;
  return any;
}

/** Returns a type for a variable of two: ops compute with numbers as with tensors. */
export function either(a: Type | undefined, b: Type): Type | null {
  return isTensor(a ?? null) && isNumber(b)
    ? (a as Type)
    : isTensor(b) && isNumber(a ?? null)
      ? b
      : join(a, b);
}

const isName = ({ k }: Type): boolean => k === 'lib' || k === 'choice';
const pathsOf = (type: Type): readonly string[] =>
  type.k === 'lib' ? [type.path] : type.k === 'choice' ? type.paths : [];
const choice = (a: Type, b: Type): Type => ({
  k: 'choice',
  paths: [...new Set([...pathsOf(a), ...pathsOf(b)])],
});

const bases: { readonly [base in Base]?: string } = {
  Layer: 'layer',
  Model: 'model',
  Metric: 'metric',
  Callback: 'callback',
};

const baseOf = (type: Type): string =>
  type.k === 'object' ? (bases[type.info.base] ?? 'object') : type.k;
const baseType = (info: ClassInfo): Type => ({ k: bases[info.base] ?? 'any' }) as Type;

/** Returns the type of a value's items. */
export function itemOf(type: Type | null): Type | null {
  if (!type) return null;
  if (type.k === 'list' || type.k === 'set' || type.k === 'iterator') return type.item;
  if (type.k === 'str') return str;
  if (type.k === 'dict') return type.hasNumbers ? int : str;
  if (type.k === 'tensor' || type.k === 'inputs' || type.k === 'variable') return tensor;
  return null;
}

const tensors = new Set(['tensor', 'inputs', 'variable']);
export const isTensor = (type: Type | null): boolean => tensors.has(type?.k ?? '');
export const isNumber = (type: Type | null): boolean => type?.k === 'num' || type?.k === 'bool';
/** Returns whether a value is called with `apply`. */
export const isLayer = (type: Type | null): boolean =>
  type?.k === 'layer' ||
  type?.k === 'model' ||
  (type?.k === 'object' && (type.info.base === 'Layer' || type.info.base === 'Model'));
export const isModel = (type: Type | null): boolean =>
  type?.k === 'model' || (type?.k === 'object' && type.info.base === 'Model');

/** Returns a member of a class of the program or of what it extends. */
export function findMethod(info: ClassInfo, name: string): Fn | undefined {
  for (let each: ClassInfo | null = info; each; each = each.parent) {
    const fn = each.methods.get(name);
    if (fn) return fn;
  }
  return undefined;
}

/** Returns the key of a member: its class in the program, or the variable, with its name. */
export function memberKey(type: Type | null, { value, name }: Attr): string {
  if (type?.k === 'object') return `${type.info.node.name}.${name}`;
  return value.kind === 'name' ? `${value.id}.${name}` : '';
}

export function attributeOf(info: ClassInfo, name: string): Type | null {
  for (let each: ClassInfo | null = info; each; each = each.parent) {
    const type = each.attributes.get(name);
    if (type) return type;
  }
  return null;
}

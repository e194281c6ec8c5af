// SPDX-License-Identifier: MIT
// Names of variables, functions and members in JavaScript.

/** Words that no variable may have, and globals that the programs use. */
const reserved = new Set(
  (
    'abstract arguments async await boolean break byte case catch char class const continue ' +
    'debugger default delete do double else enum eval export extends false final finally float ' +
    'for function goto if implements import in instanceof int interface let long native new null ' +
    'of package private protected public return short static super switch synchronized this ' +
    'throw throws transient true try typeof undefined var void volatile while with yield ' +
    'Array Boolean Error Infinity JSON Map Math NaN Number Object Promise Set String Symbol ' +
    'console globalThis process'
  ).split(' '),
);

const isConstant = (name: string): boolean => !/[a-z]/.test(name);

/** Converts a name to camelCase. Constants and leading underscores stay. */
export function camel(name: string): string {
  if (isConstant(name)) return name;
  // A class of JavaScript has a member of this name.
  if (name === 'constructor') return 'constructor_';
  return name
    .replace(/(?<=[^_])_+([a-zA-Z0-9])/g, (_, char: string) => char.toUpperCase())
    .replace(/(?<=[^_])_+$/, '');
}

/** Gives each name of a program one name of JavaScript, and each of these to one name only. */
export class Identifiers {
  readonly #names = new Map<string, string>();
  readonly #taken = new Map<string, string>();
  /** Names that the program imports; they are known after the first pass. */
  readonly #imported: ReadonlySet<string>;

  constructor(imported: ReadonlySet<string>) {
    this.#imported = imported;
  }

  /** Returns the name of a variable. */
  variable(name: string): string {
    const known = this.#names.get(name);
    if (known) return known;
    let candidate = camel(name);
    const isTaken = (each: string): boolean =>
      reserved.has(each) || this.#imported.has(each) || (this.#taken.get(each) ?? name) !== name;
    if (isTaken(candidate)) candidate = isTaken(name) ? `${candidate}_` : name;
    while (isTaken(candidate)) candidate += '_';
    this.#names.set(name, candidate);
    this.#taken.set(candidate, name);
    return candidate;
  }

  /** Returns a name that no variable has, for one that the translation adds. */
  fresh(name: string): string {
    let candidate = name;
    while (this.#taken.has(candidate) || reserved.has(candidate)) candidate += '_';
    this.#taken.set(candidate, `new ${name}`);
    return candidate;
  }
}

/** Names of members that follow no rule. */
const members: { readonly [name: string]: string } = {
  __init__: 'constructor',
  __call__: 'call',
  __len__: 'length',
  __proto__: '__proto__$',
  constructor: 'constructor_',
  prototype: 'prototype_',
};

/** Returns the name of a member. */
export const member = (name: string): string =>
  Object.hasOwn(members, name) ? (members[name] as string) : camel(name);

const plainKey = /^[A-Za-z_$][\w$]*$/;
/** Returns whether a string can be a key without quotes. */
export const isKey = (text: string): boolean => plainKey.test(text) && text !== '__proto__';

// SPDX-License-Identifier: MIT
// Names in snake_case, as in Keras, and in camelCase, as in JavaScript; and tables that are looked
// up by a name from outside.
import { named } from './named.js';

/** The camelCase form of a name in snake_case. */
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;
/** A name of Keras in snake_case, or its camelCase form. */
export type EitherCase<Name extends string> = Name | Camel<Name>;
/** A name of Keras in any case, also as a class name: 'he_normal', 'heNormal', 'HeNormal'. */
export type AnyCase<Name extends string> = EitherCase<Name> | Capitalize<Camel<Name>>;

/** Converts a name to snake_case: inputDim → input_dim. */
export function toSnake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** Converts a name to camelCase: input_dim → inputDim. */
export function toCamel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, c: string) => c.toUpperCase());
}

/** Returns the table's own entry of that name; never inherited ones such as `constructor`. */
export const lookUp = <T>(table: { readonly [key: string]: T }, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** Creates a table: `make(name)` for each of the names, which are separated by spaces. */
export const byName = <Table>(
  names: string,
  make: (name: never) => unknown,
  place: string,
): Table => {
  const functions = names.split(' ').map((name) => [name, make(name as never)]);
  return named(Object.fromEntries(functions), place) as Table;
};

// SPDX-License-Identifier: MIT

/** The camelCase form of a name in snake_case. */
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;
/** A name of Keras's in snake_case, or its camelCase form. */
export type EitherCase<Name extends string> = Name | Camel<Name>;
/** The same, or as the name of a class: 'he_normal', 'heNormal', 'HeNormal'. */
export type AnyCase<Name extends string> = EitherCase<Name> | Capitalize<Camel<Name>>;

/** inputDim → input_dim; what is snake_case already stays. */
export function toSnake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** input_dim → inputDim. */
export function toCamel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, c: string) => c.toUpperCase());
}

/** The entry of that name; not what every object has, such as `constructor`. */
export const lookUp = <T>(table: { readonly [key: string]: T }, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** A table with what `make` makes of each of the names. */
export const byName = <Table>(names: string, make: (name: never) => unknown): Table =>
  Object.fromEntries(names.split(' ').map((name) => [name, make(name as never)])) as Table;

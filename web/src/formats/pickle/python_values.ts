// SPDX-License-Identifier: MIT
// Values of a pickle. None is null, tuples and sets are lists, and dictionaries are Maps: a key
// such as '__proto__' has no meaning in a Map.

/** A class or function that the pickle names. It is never looked up. */
export class PythonName {
  constructor(
    /** Module and name: 'torch.FloatStorage'. */
    readonly name: string,
  ) {}
}

/** Sets entries of a map: `items` are alternately keys and values. */
export function setPairs<M extends Map<unknown, unknown>>(map: M, items: readonly unknown[]): M {
  for (let i = 0; i + 1 < items.length; i += 2) map.set(items[i], items[i + 1]);
  return map;
}

/** An object of a class that the reader does not know: its attributes. */
export class PythonObject {
  readonly attributes = new Map<unknown, unknown>();
  /** Items of a list or dictionary that the class extends. */
  items: unknown[] | Map<unknown, unknown> | undefined;
  /** State that is not a dictionary, such as the bytes of io.BytesIO. */
  state: unknown;

  constructor(
    readonly className: string,
    /** Arguments of the call that makes the object. */
    readonly args: readonly unknown[] = [],
  ) {}

  append(items: readonly unknown[]): void {
    if (!Array.isArray(this.items)) this.items = [];
    for (const item of items) this.items.push(item);
  }

  /** Sets items, which are alternately keys and values. */
  setItems(items: readonly unknown[]): void {
    if (!(this.items instanceof Map)) this.items = new Map();
    setPairs(this.items, items);
  }
}

/** The value of an attribute or key; undefined for other values without it. */
export function member(value: unknown, key: string): unknown {
  if (value instanceof Map) return value.get(key);
  return value instanceof PythonObject ? value.attributes.get(key) : undefined;
}

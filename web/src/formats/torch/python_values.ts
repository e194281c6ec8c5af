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

/** An object of a class that the reader does not know: its attributes. */
export class PythonObject {
  readonly attributes = new Map<unknown, unknown>();
  constructor(readonly className: string) {}
}

/** The value of an attribute or key; undefined for other values without it. */
export function member(value: unknown, key: string): unknown {
  if (value instanceof Map) return value.get(key);
  return value instanceof PythonObject ? value.attributes.get(key) : undefined;
}

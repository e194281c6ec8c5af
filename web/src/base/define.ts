// SPDX-License-Identifier: MIT
// Properties of objects whose class belongs to the user, which may have a setter or a read-only
// member of the same name.

/** Sets a property of an object itself, whatever its class has under that name. */
export function define(target: object, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(target, key, { value, enumerable, writable: true, configurable: true });
}

/** Sets a property that loops over the object's properties do not show. */
export const hide = (target: object, key: string, value: unknown): void =>
  define(target, key, value, false);

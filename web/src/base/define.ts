// SPDX-License-Identifier: MIT

/** Sets a property of an object itself, whatever its class has under that name. */
export function define(target: object, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(target, key, { value, enumerable, writable: true, configurable: true });
}

/** Sets a property that loops over the object's properties do not show. */
export const hide = (target: object, key: string, value: unknown): void =>
  define(target, key, value, false);

// SPDX-License-Identifier: MIT

/** Sets a property of an object itself, whatever its class has under that name. */
export function define(target: object, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(target, key, { value, enumerable, writable: true, configurable: true });
}

// SPDX-License-Identifier: MIT

/** An object of parsed JSON. */
export type Json = { [key: string]: unknown };

/** Returns whether the value is an object of JSON; lists and null are not. */
export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

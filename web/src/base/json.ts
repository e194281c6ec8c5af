// SPDX-License-Identifier: MIT
// Parsed JSON of unknown content. This file is apart from formats/json.ts, so that a page that
// reads no files does not load a parser.

/** An object of parsed JSON. */
export type Json = { [key: string]: unknown };

/** Returns whether the value is an object of JSON; lists and null are not. */
export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

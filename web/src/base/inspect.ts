// SPDX-License-Identifier: MIT

/** The method that console.log of Node, Deno and Bun calls. */
export const kInspect = Symbol.for('nodejs.util.inspect.custom');

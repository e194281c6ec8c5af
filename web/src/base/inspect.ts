// SPDX-License-Identifier: MIT
// The key under which classes of the package say what console.log prints.

/** The method that console.log of Node, Deno and Bun calls. */
export const kInspect = Symbol.for('nodejs.util.inspect.custom');

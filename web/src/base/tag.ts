// SPDX-License-Identifier: MIT
// Kinds of platform objects. `instanceof` fails where a test runner or a frame has its own classes.

/** The class of an object, of another realm too: sandboxes have their own WebAssembly and URL. */
export const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** Returns whether the value is a buffer or a view of one. */
export const isBytes = (value: unknown): value is ArrayBuffer | ArrayBufferView<ArrayBuffer> =>
  ArrayBuffer.isView(value) || tagOf(value) === 'ArrayBuffer';

// SPDX-License-Identifier: MIT
// Opcodes of WebAssembly for the small modules that measure the machine.
export const madd = [253, 133, 2]; // f32x4.relaxed_madd
export const mul = [253, 230, 1];
export const add = [253, 228, 1];
export const splat = [253, 19];

export const leb = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...leb(value >> 7)]);
export const section = (id, content) => [id, ...leb(content.length), ...content];
export const get = (local) => [32, local];
export const set = (local) => [33, local];

// SPDX-License-Identifier: MIT

/** Element type of a tensor. */
export type DType = 'float32' | 'int32' | 'bool';

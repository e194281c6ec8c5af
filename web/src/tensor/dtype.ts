// SPDX-License-Identifier: MIT
// The type alone, for files that must not import tensors.

/** Element type of a tensor. */
export type DType = 'float32' | 'int32' | 'bool';

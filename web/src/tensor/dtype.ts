// SPDX-License-Identifier: MIT

export type DType = 'float32' | 'int32' | 'bool';

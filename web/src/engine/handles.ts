// SPDX-License-Identifier: MIT
/** 0: bool, 1: int32, 2: float32; the order is that of `DType` in the core. */
export type NativeDType = 0 | 1 | 2;

/** Address of the core's tensor object, never 0. Its owner frees it with `_tensor_free`. */
export type NativeTensor = number & { readonly __tensor: never };
/** Id of a layer: all handles of a layer are the same number. */
export type NativeLayer = number & { readonly __layer: never };
/** Address of the core's pointer to a stream, never 0. */
export type NativeStream = number & { readonly __stream: never };
/** Address of the core's pointer to an optimizer, never 0. */
export type NativeOptimizer = number & { readonly __optimizer: never };

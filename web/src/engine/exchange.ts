// SPDX-License-Identifier: MIT
// The JavaScript side of the exchange, a few words of wasm memory through which shapes cross
// without Embind: docs/internals/boundary.md.
import { native, unwrap, unwrapHandle } from './engine.js';
import type { NativeDType, NativeModule, NativeTensor, NativeTensorInfo } from './native.js';

/** Type, shape and address of a tensor, known without a call of the core. */
export interface TensorPlace {
  info: NativeTensorInfo;
  address: number;
}

// 32-bit numbers: dtype, rank, address, dimensions (`Exchange` in bindings/exchange.hpp).
const kDType = 0;
const kRank = 1;
const kAddress = 2;
const kDims = 3;
const kMaxRank = 8;

let owner: NativeModule | undefined;
let start = 0;

/** Index of the exchange in HEAP32. */
function at(module: NativeModule): number {
  if (owner !== module) {
    owner = module;
    start = module.exchangeAddress() / 4;
  }
  return start;
}

/** Reads the exchange: the place of the tensor that the last call created. */
export function placeFromExchange(): TensorPlace {
  const module = native();
  const first = at(module);
  const { HEAP32 } = module;
  const shape: number[] = [];
  const rank = HEAP32[first + kRank] as number;
  for (let i = 0; i < rank; i++) shape.push(HEAP32[first + kDims + i] as number);
  return {
    info: { dtype: HEAP32[first + kDType] as NativeDType, shape, symbolic: false },
    address: (HEAP32[first + kAddress] as number) >>> 0,
  };
}

const fits = (dim: number) => Number.isInteger(dim) && dim >= 0 && dim <= 0x7fffffff;

/** Creates a tensor without values. The core refuses impossible shapes. */
export function createTensor(
  dtype: NativeDType,
  shape: readonly number[],
): { handle: NativeTensor; place?: TensorPlace } {
  const module = native();
  if (shape.length > kMaxRank || !shape.every(fits)) {
    return { handle: unwrap(module.tensorCreate(dtype, [...shape])) };
  }
  const first = at(module);
  const { HEAP32 } = module;
  HEAP32[first + kDType] = dtype;
  HEAP32[first + kRank] = shape.length;
  for (let i = 0; i < shape.length; i++) HEAP32[first + kDims + i] = shape[i] as number;
  const handle = unwrapHandle(module._tensor_make());
  // The view is a new one if the memory has grown.
  const address = (module.HEAP32[first + kAddress] as number) >>> 0;
  return { handle, place: { info: { dtype, shape: [...shape], symbolic: false }, address } };
}

/** Returns the memory as an array of the type, and the index of the first element. */
export function elementsAt(
  dtype: NativeDType,
  address: number,
): { heap: Float32Array | Int32Array | Uint8Array; start: number } {
  const module = native();
  if (dtype === 2) return { heap: module.HEAPF32, start: address / 4 };
  if (dtype === 1) return { heap: module.HEAP32, start: address / 4 };
  return { heap: module.HEAPU8, start: address };
}

// SPDX-License-Identifier: MIT
// Tensors of a graph as Keras 3 writes them, and as Keras 1 and 2 did: [layer, call, output, {further arguments}].
import { isRecord, type Json } from '../json.js';

/** Output `output` of call `call` of a layer. */
export const symbol = (layer: string, call = 0, output = 0): Json => ({
  class_name: '__keras_tensor__',
  config: { keras_history: [layer, call, output] },
});

/** The mask that a tensor carries, for a call to which Keras 3 would not hand it. */
export const attachedMask = (tensor: unknown): Json => ({
  class_name: '__attached_mask__',
  config: tensor,
});

export const isSymbol = (value: unknown): boolean =>
  isRecord(value) && value['class_name'] === '__keras_tensor__';

export type OldTensor = [string, number, number, ...unknown[]];

export const isOldTensor = (value: unknown): value is OldTensor =>
  Array.isArray(value) &&
  typeof value[0] === 'string' &&
  Number.isInteger(value[1]) &&
  Number.isInteger(value[2]);

/** First arguments may be constants: ['_CONSTANT_VALUE', -1, value, kwargs]. */
export const isOldConstant = (value: unknown): value is [string, number, unknown, ...unknown[]] =>
  Array.isArray(value) && value[0] === '_CONSTANT_VALUE' && value[1] === -1;

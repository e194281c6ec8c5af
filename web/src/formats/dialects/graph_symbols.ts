// SPDX-License-Identifier: MIT
// Symbolic tensors in configs: as Keras 3 writes them, and as Keras 1 and 2 did, [layer, call,
// output, {further arguments}].
import { isRecord, type Json } from '../json.js';

/** Writes a symbolic tensor of Keras 3: the output `output` of the call `call` of a layer. */
export const symbol = (layer: string, call = 0, output = 0): Json => ({
  class_name: '__keras_tensor__',
  config: { keras_history: [layer, call, output] },
});

/**
 * Writes the mask of a tensor as an explicit argument, for a call that used it in Keras 2 but would
 * not use it in Keras 3.
 */
export const attachedMask = (tensor: unknown): Json => ({
  class_name: '__attached_mask__',
  config: tensor,
});

/** Returns whether the value is a symbolic tensor of Keras 3. */
export const isSymbol = (value: unknown): boolean =>
  isRecord(value) && value['class_name'] === '__keras_tensor__';

/** A symbolic tensor of Keras 1 or 2. */
export type OldTensor = [string, number, number, ...unknown[]];

export const isOldTensor = (value: unknown): value is OldTensor =>
  Array.isArray(value) &&
  typeof value[0] === 'string' &&
  Number.isInteger(value[1]) &&
  Number.isInteger(value[2]);

/**
 * Returns whether the value is a constant as first argument: ['_CONSTANT_VALUE', -1, value,
 * kwargs].
 */
export const isOldConstant = (value: unknown): value is [string, number, unknown, ...unknown[]] =>
  Array.isArray(value) && value[0] === '_CONSTANT_VALUE' && value[1] === -1;

// SPDX-License-Identifier: MIT
// Control flow among symbolic tensors.
import { Service } from '../base/service.js';
import { isTensor, type Operand, type Tensor } from '../tensor/tensor.js';
import { where } from './ops.gen.js';
import { joinLeaves } from './structures.js';

/** A call that a graph cannot unroll, because its number of slices is not known. */
export interface UnknownLength {
  /** Keras's class of the operation. */
  readonly className: 'AssociativeScan' | 'Map' | 'Scan' | 'VectorizedMap';
  readonly f: (...args: never[]) => unknown;
  readonly settings: object;
  /** Arguments after the function. */
  readonly args: readonly unknown[];
}

/** Records a call of unknown length in a graph. Models call its function when they run. */
export const unknownLengths = new Service<(call: UnknownLength) => unknown>(
  "the number of slices is not known in this graph: give the first axis a size, call this op inside the call() of a custom layer, or import from 'maskflow/train'",
);

/** Returns whether the length of an axis of a symbolic tensor is not known. */
export const isUnknown = (x: unknown, axis: number): boolean =>
  isTensor(x) && x.isSymbolic && x.shape.at(axis) === null;

/** Chooses between two results of one structure by a condition of a graph. */
export const choose = (condition: Tensor, yes: unknown, no: unknown): unknown =>
  joinLeaves([yes, no], ([a, b]) => where(condition, a as Operand, b as Operand));

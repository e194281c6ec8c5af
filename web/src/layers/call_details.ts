// SPDX-License-Identifier: MIT
// The calls that layers of `function_call.ts` were made from. Writing a file asks for them, and
// must not fetch the ops that such layers run.
import type { Layer } from './layer.js';

export type CalledFunction = (...args: never[]) => unknown;

/** A call of an op that calls functions. */
export interface Call {
  /** Keras's class of the op. */
  readonly className: string;
  readonly functions: readonly CalledFunction[];
  /** The functions as the file of the op names them. */
  readonly references?: readonly { readonly [key: string]: unknown }[];
  /** Settings under Keras's names. */
  readonly settings: object;
  /** Returns the arguments after the functions with these tensors. */
  grouped(leaves: readonly unknown[]): readonly unknown[];
}

/** The call of each layer that is one. */
export const callDetails = new WeakMap<Layer, Call>();

// SPDX-License-Identifier: MIT
// Reads and sets the weights of a layer, and finds the layers that a custom layer holds in its
// properties.
import { checkList, isPlain } from '../base/check.js';
import { native, unwrap } from '../engine/engine.js';
import type { NativeLayer, NativeLayerInfo, NativeWeightInfo } from '../engine/native.js';
import { isTypedArray, type Nested, type TypedArray } from '../base/nested.js';
import { asTensor, isTensor, Tensor, tensor } from '../tensor/tensor.js';
import { freeVariables } from './variable.js';

interface WithHandle {
  readonly handle: NativeLayer;
}

/** The core's description of a layer. */
export const infoOf = ({ handle }: WithHandle): NativeLayerInfo =>
  unwrap(native().layerInfo(handle));
/** The weights of a layer, including those of layers inside. */
export function weightsOf(layer: WithHandle): NativeWeightInfo[] {
  freeVariables.supplied?.attach(layer);
  return unwrap(native().layerWeights(layer.handle));
}

/** Sets all weights of a layer. Throws ShapeError if a shape differs. */
export function setWeights(
  layer: NativeLayer,
  weights: readonly NativeWeightInfo[],
  values: readonly (Tensor | TypedArray | Nested)[],
): void {
  checkList(values, 'the argument of setWeights');
  const temporary: Tensor[] = [];
  try {
    const tensors = values.map((value, i) => weightTensor(value, weights[i]?.shape, temporary));
    unwrap(
      native().layerSetWeights(
        layer,
        tensors.map(({ handle }) => handle),
      ),
    );
  } finally {
    for (const tensor of temporary) tensor.dispose();
  }
}

/** Converts the value of a weight. Adds a new tensor to `temporary`. */
function weightTensor(
  value: Tensor | TypedArray | Nested,
  shape: readonly number[] | undefined,
  temporary: Tensor[],
): Tensor {
  if (value instanceof Tensor) return value;
  const result =
    isTypedArray(value) && shape
      ? tensor(value, { shape, dtype: 'float32' })
      : isTensor(value)
        ? asTensor(value)
        : tensor(value);
  temporary.push(result);
  return result;
}

/**
 * Returns the different values in lists, dictionaries, maps and sets, down to three levels, with
 * these. Leaves out a Proxy that cannot be inspected, for instance because it was revoked.
 */
export function valuesInside(values: readonly unknown[]): unknown[] {
  const found = new Set<unknown>();
  const visit = (value: unknown, depth: number): void => {
    try {
      look(value, depth);
    } catch {
      // Nothing is known about it, so it is nothing that a caller looks for.
    }
  };
  const look = (value: unknown, depth: number): void => {
    const isList = Array.isArray(value) || value instanceof Set || value instanceof Map;
    if (isList && depth < 3) for (const item of value.values()) visit(item, depth + 1);
    else if (isPlain(value) && depth < 3) {
      for (const item of Object.values(value)) visit(item, depth + 1);
    } else found.add(value);
  };
  for (const value of values) visit(value, 0);
  return [...found];
}

/** Returns those of `valuesInside` that are objects of a class. */
export function instancesInside<T>(
  values: readonly unknown[],
  Class: abstract new (...args: never) => T,
): T[] {
  return valuesInside(values).filter((value): value is T => {
    try {
      return value instanceof Class;
    } catch {
      return false;
    }
  });
}

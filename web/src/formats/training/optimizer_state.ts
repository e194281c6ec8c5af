// SPDX-License-Identifier: MIT
// Restores the variables of an optimizer from a file.
import { FormatError } from '../../base/errors.js';
import { warn } from '../../base/visible.js';
import type { ModelOptimizer } from '../../model/train_options.js';
import { type DType, tensor } from '../../tensor/tensor.js';
import type { NamedArray, TreeWeights } from '../artifact.js';

type Variable = ModelOptimizer['variables'][number];

const kGroup = 'optimizer/vars/';

/** The arrays of the group `optimizer/vars` in order. Throws FormatError if a number is missing. */
export function storedVariables({ arrays }: TreeWeights): NamedArray[] {
  const { length } = [...arrays.keys()].filter((path) => path.startsWith(kGroup));
  return Array.from({ length }, (_, i) => {
    const array = arrays.get(kGroup + i);
    if (array) return array;
    throw new FormatError(
      `the file has ${length} variables of the optimizer, but ${kGroup}${i} is missing`,
    );
  });
}

/** The value of a variable, of which `tensor` makes one. */
interface Value {
  readonly data: ReturnType<NamedArray['read']>;
  readonly shape: readonly number[];
  readonly dtype: DType;
}

/** The value of a variable: int32 needs stored integers, float32 stored floats. */
function storedValue(array: NamedArray, { path, shape, dtype }: Variable): Value {
  const isInteger = /^u?int(8|16|32|64)$/.test(array.dtype);
  const data = /^(u?int|float)\d+$/.test(array.dtype) ? array.read() : null;
  const fits =
    data &&
    (dtype === 'int32' ? isInteger && data.every(isCount) : array.dtype.startsWith('float'));
  if (!fits) {
    throw new FormatError(
      `the variable '${path}' of the optimizer is ${dtype}, but the file has ${array.dtype}${data && isInteger ? ` ${data.find((x) => !isCount(x))}` : ''} for it`,
    );
  }
  return { data: dtype === 'int32' ? Int32Array.from(data) : data, shape, dtype };
}

/** Integer variables count steps, so they are not negative. */
const isCount = (x: number): boolean => x >= 0 && x <= 0x7fffffff;

function checkShapes(stored: readonly NamedArray[], variables: readonly Variable[]): void {
  for (const [i, { path, shape }] of variables.entries()) {
    const { shape: storedShape } = stored[i] as NamedArray;
    if (`${shape}` === `${storedShape}`) continue;
    throw new FormatError(
      `the variable ${i} of the optimizer, '${path}', has shape [${shape.join(', ')}], but the file has [${storedShape.join(', ')}]`,
    );
  }
}

/**
 * Sets all variables of an optimizer, or none: as in Keras, with a warning if their number differs,
 * and with a FormatError if a shape does. `initialPaths` are the variables that exist before the
 * optimizer is built: the only ones in the file of a model that was saved before training.
 */
export function setVariables(
  optimizer: ModelOptimizer,
  stored: readonly NamedArray[],
  initialPaths: readonly string[],
): void {
  const all = optimizer.variables;
  const isUntrained = stored.length === initialPaths.length && initialPaths.length < all.length;
  const places = isUntrained
    ? initialPaths.map((path) => all.findIndex((variable) => variable.path === path))
    : [...all.keys()];
  if (stored.length !== places.length) {
    warn(
      `the optimizer '${optimizer.name}' has ${all.length} variables here, but ${stored.length} in the file, as after a change of \`trainable\`; it starts from its initial state: to keep it, call compile() after the change and train before save()`,
    );
    return;
  }
  setterOf(optimizer, stored, places)();
}

/**
 * Checks values for the variables of an optimizer at some places, and returns a function that sets
 * them. Throws FormatError for another shape or dtype.
 */
export function setterOf(
  optimizer: ModelOptimizer,
  stored: readonly NamedArray[],
  places: readonly number[],
): () => void {
  const all = optimizer.variables;
  const variables = places.map((place) => all[place] as Variable);
  checkShapes(stored, variables);
  const values = variables.map((variable, i) => storedValue(stored[i] as NamedArray, variable));
  return () => {
    const current = optimizer.getWeights();
    try {
      for (const [i, place] of places.entries()) {
        current[place]?.dispose();
        const { data, ...options } = values[i] as Value;
        current[place] = tensor(data, options);
      }
      optimizer.setWeights(current);
    } finally {
      for (const value of current) value.dispose();
    }
  };
}

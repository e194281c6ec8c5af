// SPDX-License-Identifier: MIT
// An optimizer's variables out of a file.
import { FormatError } from '../../base/errors.js';
import type { ModelOptimizer } from '../../model/train_options.js';
import { type Tensor, tensor } from '../../tensor/tensor.js';
import type { NamedArray, TreeWeights } from '../artifact.js';
import { sameShape } from '../pairing.js';

type Variable = ModelOptimizer['variables'][number];

const kGroup = 'optimizer/vars/';

/** Those of the group `optimizer/vars`, in order. FormatError where one is missing in between. */
export function storedVariables({ arrays }: TreeWeights): NamedArray[] {
  const { length } = [...arrays.keys()].filter((path) => path.startsWith(kGroup));
  return Array.from({ length }, (_, i) => {
    const array = arrays.get(kGroup + i);
    if (array) return array;
    throw new FormatError(
      `there are ${length} variables of the optimizer, but ${kGroup}${i} is missing`,
    );
  });
}

/** Whole numbers for int32, others for float32. */
function valueOf(array: NamedArray, { path, shape, dtype }: Variable): Tensor {
  const isWhole = /^u?int(8|16|32|64)$/.test(array.dtype);
  const data = /^(u?int|float)\d+$/.test(array.dtype) ? array.read() : null;
  const fits =
    data && (dtype === 'int32' ? isWhole && data.every(isCount) : array.dtype.startsWith('float'));
  if (!fits) {
    throw new FormatError(
      `the variable '${path}' of the optimizer is ${dtype}, but the file has ${array.dtype}${data && isWhole ? ` ${data.find((x) => !isCount(x))}` : ''} for it`,
    );
  }
  return tensor(dtype === 'int32' ? Int32Array.from(data) : data, { shape, dtype });
}

/** (They count steps.) */
const isCount = (x: number): boolean => x >= 0 && x <= 0x7fffffff;

function checkShapes(stored: readonly NamedArray[], variables: readonly Variable[]): void {
  for (const [i, { path, shape }] of variables.entries()) {
    const { shape: found } = stored[i] as NamedArray;
    if (sameShape(shape, found)) continue;
    throw new FormatError(
      `the variable ${i} of the optimizer, '${path}', has shape [${shape.join(', ')}], but the file has [${found.join(', ')}]`,
    );
  }
}

/**
 * Sets all variables, or none: FormatError with both numbers or shapes where they do not fit. `begun` are those that the optimizer had
 * before it was built: a model that was saved before it was trained has no others.
 */
export function setVariables(
  optimizer: ModelOptimizer,
  stored: readonly NamedArray[],
  begun: readonly string[],
): void {
  const all = optimizer.variables;
  const untrained = stored.length === begun.length && begun.length < all.length;
  const variables = untrained
    ? begun.map((path) => all.find((one) => one.path === path) as Variable)
    : all;
  if (stored.length !== variables.length) {
    throw new FormatError(
      `the optimizer '${optimizer.name}' has ${all.length} variables here, but ${stored.length} in the file; were layers made trainable, or not, after compile()?`,
    );
  }
  checkShapes(stored, variables);
  const made: Tensor[] = [];
  const before = optimizer.getWeights();
  try {
    for (const [i, array] of stored.entries()) {
      made.push(valueOf(array, variables[i] as Variable));
    }
    const places = new Map(variables.map((one, i) => [one.path, made[i] as Tensor]));
    const values = untrained ? all.map((one, i) => places.get(one.path) ?? before[i]) : made;
    optimizer.setWeights(values as Tensor[]);
  } finally {
    for (const one of [...made, ...before]) one.dispose();
  }
}

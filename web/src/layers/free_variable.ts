// SPDX-License-Identifier: MIT
// Variables that a program creates itself. Until a layer holds it, a variable is the weight of a
// layer of its own; then it becomes a weight of that layer.
import { checkOptions, isPlain } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import { warn } from '../base/visible.js';
import type { WeightOptions } from './layer_config.js';
import { native, unwrap } from '../engine/engine.js';
import { isTypedArray, type Nested } from '../base/nested.js';
import { cast } from '../ops/ops.gen.js';
import {
  asTensor,
  type DType,
  isTensor,
  type Tensor,
  tensor,
  type TensorLike,
  wrapTensor,
} from '../tensor/tensor.js';
import { tidy } from '../tensor/tidy.js';
import { addWeight } from './add_weight.js';
import { Layer } from './layer.js';
import { instancesInside, weightsOf } from './layer_values.js';
import { type freeVariables, Place, Variable, type VariableOptions } from './variable.js';

type Options = VariableOptions & { readonly initializer?: unknown };

/** The layer of a variable that no other layer holds. */
class NoLayer extends Layer {}

/** Variables that the program has created, not `addWeight`. */
const created = new WeakSet<Variable>();
let anyCreated = false;
/** Variables with a warning that two layers hold them. */
const warned = new WeakSet<Variable>();

/** Returns whether the value creates numbers, and is not a number or tensor itself. */
const isInitializer = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'function' || (isPlain(value) && !isTensor(value));

const placeOf = (layer: Layer, weight: WeightOptions): Place => {
  const { index, name, shape } = addWeight(layer.handle, weight);
  return new Place(layer, index, name, shape);
};

/** Converts the first value of a variable; numbers are floats. Call it in `tidy`. */
function firstValue(value: unknown, dtype: DType | undefined): Tensor {
  if (dtype === undefined && (isTensor(value) || isTypedArray(value))) {
    return asTensor(value as TensorLike);
  }
  const plain = tensor((isTensor(value) ? value.array() : value) as Nested);
  return plain.dtype === 'bool' && !dtype ? plain : cast(plain, dtype ?? 'float32');
}

/** Creates the weight of a layer of its own. */
function create(first: unknown, more: VariableOptions | undefined): Place {
  const isAll = more === undefined && isPlain(first) && 'initializer' in first;
  const options: Options = isAll ? first : { ...more, initializer: first };
  const names = { initializer: 1, shape: 1, trainable: 1, dtype: 1, name: 1 } as const;
  const { initializer, shape, dtype, ...rest } = checkOptions(options, names);
  if (initializer === undefined || initializer === null) {
    throw new ValueError('a Variable needs a first value or an initializer: new Variable(0)');
  }
  if (isInitializer(initializer)) {
    if (shape) {
      const weight = { ...rest, shape, dtype: dtype ?? 'float32', initializer };
      return placeOf(new NoLayer(), weight as WeightOptions);
    }
    throw new ValueError(
      "an initializer of a Variable needs a shape: new Variable('zeros', { shape: [2] })",
    );
  }
  return tidy(() => {
    const value = firstValue(initializer, dtype);
    if (shape && String(shape) !== String(value.shape)) {
      throw new ValueError(
        `the value of a Variable has the shape [${value.shape}], but the option shape is [${shape}]; leave the option out`,
      );
    }
    return placeWith(value, new NoLayer(), rest);
  });
}

/** The value of the weight that is being created. */
let first: Tensor | null = null;
const firstValueOfWeight = (): Tensor => first as Tensor;

/** Creates a weight with a value, also while a graph finds out shapes. */
function placeWith(value: Tensor, layer: Layer, weight: WeightOptions): Place {
  first = value;
  try {
    const { shape, dtype } = value;
    const place = placeOf(layer, { ...weight, shape, dtype, initializer: firstValueOfWeight });
    // The core creates values when something reads them.
    wrapTensor(unwrap(native().layerOwnWeight(layer.handle, place.index)));
    return place;
  } finally {
    first = null;
  }
}

/** Makes a variable without a layer a weight of this one. */
function move(variable: Variable, layer: Layer): void {
  const { name, holder } = variable;
  const trainable = weightsOf(holder)[0]?.trainable === true;
  tidy(() => {
    variable.moveTo(placeWith(variable.value, layer, { name, trainable }));
  });
}

/** Makes variables in the properties of a layer its weights. */
function attach(layer: Layer): void {
  if (!anyCreated || layer instanceof NoLayer) return;
  for (const variable of instancesInside(Object.values(layer), Variable)) {
    const { holder, name } = variable;
    if (holder === layer || !created.has(variable)) continue;
    if (holder instanceof NoLayer) move(variable, layer);
    else if (!warned.has(variable)) {
      warned.add(variable);
      warn(
        `the Variable '${name}' belongs to the layer '${(holder as Layer).name}': '${layer.name}' uses it, but does not train, save or count it; hold that layer in a property instead`,
      );
    }
  }
}

/** Implements the service `freeVariables`. */
export const ownVariables: NonNullable<typeof freeVariables.supplied> = {
  create,
  created(variable) {
    anyCreated = true;
    created.add(variable);
  },
  attach: attach as (layer: object) => void,
};

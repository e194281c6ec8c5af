// SPDX-License-Identifier: MIT
// Weights as objects, for custom layers and custom training loops.
import { Identity } from '../base/identity.js';
import { type Brand, brand, kBrand } from '../base/brand.js';
import { ValueError } from '../base/errors.js';
import { Service } from '../base/service.js';
import { native, unwrap } from '../engine/engine.js';
import type { NativeLayer } from '../engine/native.js';
import type { InitializerLike } from './keras_names.js';
import type { WeightOptions } from './layer_config.js';
import { add, subtract } from '../ops/ops.gen.js';
import {
  asTensor,
  type DType,
  type Tensor,
  type TensorLike,
  wrapTensor,
} from '../tensor/tensor.js';

/** A layer that has weights. */
interface Owner {
  readonly handle: NativeLayer;
}

/** Lists the weights of a layer that training changes, or the others. */
export const layerVariables = new Service<(layer: Owner, trainable: boolean) => Variable[]>(
  "variables are in 'maskflow/train'; import from there instead",
);

/** Where a weight is: its layer, its index among the layer's own weights. @internal */
export class Place {
  constructor(
    readonly layer: Owner,
    readonly index: number,
    readonly name: string,
    readonly shape: readonly number[],
  ) {}
}

/** Creates variables without a layer, and passes them to the layers that hold them. */
export const freeVariables = new Service<{
  create(first: unknown, options: VariableOptions | undefined): Place;
  created(variable: Variable): void;
  attach(layer: Owner): void;
}>("new Variable() is in 'maskflow' and 'maskflow/train'; call addWeight() of a layer here");

/** Options of {@link Variable}. */
export interface VariableOptions extends Omit<WeightOptions, 'initializer'> {
  /** Shape, for an initializer. A value has a shape of its own. */
  shape?: readonly number[];
}

/** Objects of weights, by the layer that owns them. */
const known = new WeakMap<Owner, Variable[]>();

/** Returns the variable of a weight; always the same object. @internal */
export function variableAt(place: Place): Variable {
  const { layer, index } = place;
  return known.get(layer)?.[index] ?? new Variable(place);
}

/**
 * A weight: from `addWeight` or `trainableVariables` of a layer, or created. Ops accept it like a
 * tensor. A layer or custom model that has it in a property, also in a list or dictionary, trains,
 * saves and counts it from its next call on, like a weight from `addWeight`.
 *
 * The constructor throws ValueError if an initializer has no shape, and ConfigError for an unknown
 * option.
 *
 * @example
 * class Scale extends Layer {
 *   factor = new Variable(2, { name: 'factor' });
 *   table = new Variable({ initializer: 'zeros', shape: [3], trainable: false });
 *   call(x) {
 *     return ops.add(ops.multiply(x, this.factor), this.table);
 *   }
 * }
 */
export class Variable extends Identity {
  #layer: Owner;
  #index: number;
  /** Name of the weight in its layer. */
  readonly name: string;
  /** Sizes of the axes, outermost first. */
  readonly shape: readonly number[];
  /** Name with the names of the enclosing layers, once a layer has listed the variable. */
  path: string;

  /**
   * @param initializer First value: a number or nested arrays, which become float32, or a tensor.
   * Or the name, config or function of an initializer, with the option `shape`.
   * @param options Its shape, name and dtype, and whether training changes it.
   */
  constructor(initializer: TensorLike | InitializerLike, options?: VariableOptions);
  /** @param options All in one object, with the first value or initializer. */
  constructor(options: VariableOptions & { initializer: TensorLike | InitializerLike });
  /** @internal */
  constructor(place: Place);
  constructor(first: unknown, options?: VariableOptions) {
    super();
    const place = first instanceof Place ? first : freeVariables.get().create(first, options);
    this.#layer = place.layer;
    this.#index = place.index;
    this.name = place.name;
    this.shape = place.shape;
    this.path = place.name;
    this.#remember();
    if (place !== first) freeVariables.get().created(this);
  }

  #remember(): void {
    const own = known.get(this.#layer) ?? [];
    own[this.#index] = this;
    known.set(this.#layer, own);
  }

  /** Becomes a weight of another layer, which has its value. @internal */
  moveTo({ layer, index }: Place): void {
    this.#layer = layer;
    this.#index = index;
    this.#remember();
  }
  /** @internal */
  get [kBrand](): Brand {
    return brand('weight');
  }
  /** Element type. */
  get dtype(): DType {
    const { value } = this;
    const { dtype } = value;
    value.dispose();
    return dtype;
  }
  /** Whether training changes the value. Set it in the options, or `trainable` of the layer. */
  get trainable(): boolean {
    return layerVariables.get()(this.#layer, true).includes(this);
  }
  set trainable(_: boolean) {
    throw new ValueError(
      'set trainable of the layer, or create the variable with { trainable: false }',
    );
  }
  /** Current value, as a new tensor. */
  get value(): Tensor {
    return wrapTensor(unwrap(native().layerOwnWeight(this.#layer.handle, this.#index)));
  }
  /** Nested arrays of the value, for JSON.stringify; see `toJSON` of {@link Tensor}. */
  toJSON(): unknown {
    const { value } = this;
    const lists = value.toJSON();
    value.dispose();
    return lists;
  }
  /**
   * Sets the value, for states that `call` of a custom layer keeps. Calls that only make a graph
   * change nothing. Throws ShapeError for another shape.
   */
  assign(value: TensorLike): void {
    const { handle } = asTensor(value);
    unwrap(native().layerSetOwnWeight(this.#layer.handle, this.#index, handle));
  }
  /** Adds to the value; see {@link assign}. */
  assignAdd(value: TensorLike): void {
    this.assign(add(this.value, value));
  }
  /** Subtracts from the value; see {@link assign}. */
  assignSub(value: TensorLike): void {
    this.assign(subtract(this.value, value));
  }
  /** The layer that owns the weight, and its index there, for the core. @internal */
  get owner(): { layer: NativeLayer; index: number } {
    return { layer: this.#layer.handle, index: this.#index };
  }
  /** The object of that layer. @internal */
  get holder(): Owner {
    return this.#layer;
  }
}

// SPDX-License-Identifier: MIT
// Weights as objects, for custom layers and custom training loops.
import { Identity } from '../base/identity.js';
import { type Brand, brand, kBrand } from '../base/brand.js';
import { Service } from '../base/service.js';
import { native, unwrap } from '../engine/engine.js';
import { ValueError } from '../base/errors.js';
import type { NativeLayer } from '../engine/native.js';
import { add, subtract } from '../ops/ops.gen.js';
import { asTensor, type Tensor, type TensorLike, wrapTensor } from '../tensor/tensor.js';

/** A layer that has weights. */
interface Owner {
  readonly handle: NativeLayer;
}

/** Lists the weights of a layer that training changes, or the others. */
export const layerVariables = new Service<(layer: Owner, trainable: boolean) => Variable[]>(
  "variables are in 'maskflow/train'; import from there instead",
);

/** A weight of a layer, from `addWeight` or `trainableVariables`. Ops accept it like a tensor. */
export class Variable extends Identity {
  readonly #layer: Owner;
  readonly #index: number;
  /** Name with the names of the enclosing layers, once a layer has listed the variable. */
  path: string;
  /** @internal */
  constructor(
    layer: Owner,
    index: number,
    /** Name of the weight in its layer. */
    readonly name: string,
    /** Sizes of the axes, outermost first. */
    readonly shape: readonly number[],
  ) {
    super();
    if (!layer)
      throw new ValueError('a Variable cannot be created directly; call addWeight() of a layer');
    this.#layer = layer;
    this.#index = index;
    this.path = name;
  }
  /** @internal */
  get [kBrand](): Brand {
    return brand('weight');
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
}

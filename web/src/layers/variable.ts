// SPDX-License-Identifier: MIT
import { type Brand, brand, kBrand } from '../base/brand.js';
import { Service } from '../base/service.js';
import { native, unwrap } from '../engine/engine.js';
import { ValueError } from '../base/errors.js';
import type { NativeLayer } from '../engine/native.js';
import { type Tensor, wrapTensor } from '../tensor/tensor.js';

/** Whose weight it is. */
interface Owner {
  readonly handle: NativeLayer;
}

/** Lists the weights of a layer that training changes. */
export const trainableVariables = new Service<(layer: Owner) => Variable[]>(
  "variables are in 'maskflow/train'; import from there instead",
);

/** A weight of a layer, from `addWeight` or `trainableVariables`; ops take it like a tensor. */
export class Variable {
  readonly #layer: Owner;
  readonly #index: number;
  /** With the names of the layers around, once a layer has listed it. */
  path: string;
  /** @internal */
  constructor(
    layer: Owner,
    index: number,
    readonly name: string,
    readonly shape: readonly number[],
  ) {
    if (!layer) throw new ValueError('weights are made by addWeight() of a layer');
    this.#layer = layer;
    this.#index = index;
    this.path = name;
  }
  /** @internal */
  get [kBrand](): Brand {
    return brand('weight');
  }
  /** The value now. */
  get value(): Tensor {
    return wrapTensor(unwrap(native().layerOwnWeight(this.#layer.handle, this.#index)));
  }
  /** Whose own weight it is, and which: as the core finds it. @internal */
  get owner(): { layer: NativeLayer; index: number } {
    return { layer: this.#layer.handle, index: this.#index };
  }
}

// SPDX-License-Identifier: MIT
import { type Brand, brand, kBrand } from '../base/brand.js';
import { native, unwrap } from '../engine/engine.js';
import { ValueError } from '../base/errors.js';
import type { Layer } from './layer.js';
import { type Tensor, wrapTensor } from '../tensor/tensor.js';

/** A weight of a custom layer, from `addWeight`; ops take it like a tensor. */
export class Variable {
  readonly #layer: Layer;
  readonly #index: number;
  /** @internal */
  constructor(
    layer: Layer,
    index: number,
    readonly name: string,
    readonly shape: readonly number[],
  ) {
    if (!layer) throw new ValueError('weights are made by addWeight() of a layer');
    this.#layer = layer;
    this.#index = index;
  }
  /** @internal */
  get [kBrand](): Brand {
    return brand('weight');
  }
  /** The value now. */
  get value(): Tensor {
    return wrapTensor(unwrap(native().layerOwnWeight(this.#layer.handle, this.#index)));
  }
}

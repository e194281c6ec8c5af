// SPDX-License-Identifier: MIT
import { Layer } from '../layers/layer.js';
import type { Tensor } from '../tensor/tensor.js';
import type { IntegerLookup } from './integer_lookup.js';

/** A lookup of numbers as a layer of a graph. */
export class IntegerLayer extends Layer {
  // Classes lose their names when they are minified; this one is told to the core.
  static override readonly name: string = 'IntegerLookup';
  readonly #lookup: IntegerLookup;

  constructor(lookup: IntegerLookup) {
    super({ name: lookup.name });
    this.#lookup = lookup;
  }

  override call(inputs: Tensor): unknown {
    return this.#lookup.apply(inputs);
  }
}

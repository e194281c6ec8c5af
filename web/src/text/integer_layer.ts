// SPDX-License-Identifier: MIT
import { Layer } from '../layers/layer.js';
import type { Tensor } from '../tensor/tensor.js';
import type { IntegerLookup } from './integer_lookup.js';

/** An {@link IntegerLookup} as a layer of a graph. */
export class IntegerLayer extends Layer {
  // The core needs the name, which minified classes lose.
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

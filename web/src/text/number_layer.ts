// SPDX-License-Identifier: MIT
// Lookup and hashing layers of a loaded model whose inputs are numbers: they can stay in the graph,
// as custom layers. split_model.ts creates them.
import { Layer } from '../layers/layer.js';
import type { TextLayer } from './text_layer.js';

/**
 * Returns a layer of a graph that applies a layer of this entry to numbers.
 *
 * @param config Settings, with the vocabulary if the layer has one.
 */
export function numberLayer(layer: TextLayer, config: { [setting: string]: unknown }): Layer {
  class NumberLayer extends Layer {
    // The core needs the name, which minified classes lose.
    static override readonly name: string = layer.className;

    override call(inputs: unknown): unknown {
      return (layer as { apply(data: unknown): unknown }).apply(inputs);
    }

    override getConfig(): { [setting: string]: unknown } {
      return { ...super.getConfig(), ...config };
    }
  }
  return new NumberLayer({ name: layer.name });
}

// SPDX-License-Identifier: MIT
// Lookup and hashing layers whose inputs are numbers: they stay in the graph, as custom layers.
// split_model.ts creates them for loaded models, `apply` of the layers for symbolic tensors.
import { Layer } from '../layers/layer.js';
import type { TextLayerLike } from '../layers/text_symbols.js';
import { type SymbolicTensor, Tensor } from '../tensor/tensor.js';

/** A layer of this folder; its classes import this file. */
type TextLayer = TextLayerLike & { readonly name: string };

interface Vocabulary {
  readonly idfWeights: readonly number[] | null | undefined;
  vocabularySize(): number;
  getVocabulary(includeSpecialTokens: boolean): unknown[];
}

/**
 * Returns a layer of a graph that applies a layer of this entry to numbers.
 *
 * @param configOf Returns the settings, with the vocabulary if the layer has one.
 */
export function numberLayer(
  layer: TextLayer,
  configOf: () => { [setting: string]: unknown },
): Layer {
  class NumberLayer extends Layer {
    // The core needs the name, which minified classes lose.
    static override readonly name: string = layer.className;

    override call(inputs: unknown): unknown {
      return (layer as { apply(data: unknown): unknown }).apply(inputs);
    }

    override getConfig(): { [setting: string]: unknown } {
      return { ...super.getConfig(), ...configOf() };
    }
  }
  return new NumberLayer({ name: layer.name });
}

/** Returns the vocabulary of a layer as a setting, and the weights if it has them. */
export function vocabularyOf(layer: Vocabulary): { [setting: string]: unknown } {
  // The weights of tf_idf include those of the special tokens.
  const idf = layer.idfWeights?.slice(0, layer.vocabularySize());
  const vocabulary = layer.getVocabulary(idf !== undefined);
  return { vocabulary, ...(idf && { idf_weights: idf }) };
}

const settingsOf = (layer: TextLayer): { [setting: string]: unknown } => ({
  ...(layer.getConfig() as object),
  ...('getVocabulary' in layer && vocabularyOf(layer as unknown as Vocabulary)),
});

const isSymbolic = (value: unknown): boolean => value instanceof Tensor && value.isSymbolic;

const made = new WeakMap<TextLayer, Layer>();

/** Returns the only layer of graphs that applies a layer of this entry. */
export function inGraph(layer: TextLayer): Layer {
  const known = made.get(layer) ?? numberLayer(layer, () => settingsOf(layer));
  made.set(layer, known);
  return known;
}

/** Returns the result in a graph if the data is a symbolic tensor or a list of them. */
export function symbolicResult(layer: TextLayer, data: unknown): SymbolicTensor | undefined {
  return isSymbolic(data) || (Array.isArray(data) && data.some(isSymbolic))
    ? (inGraph(layer).apply(data as SymbolicTensor) as unknown as SymbolicTensor)
    : undefined;
}

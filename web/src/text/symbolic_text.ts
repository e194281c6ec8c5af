// SPDX-License-Identifier: MIT
// Inputs of strings in graphs. The core does not support strings: for it, the result of each layer
// that reads them is an input.
import { checkShape } from '../base/check.js';
import { Identity } from '../base/identity.js';
import { ConfigError } from '../base/errors.js';
import { native, unwrap } from '../engine/engine.js';
import { Service } from '../base/service.js';
import { Input, type InputOptions } from '../layers/input.js';
import type { SymbolicTensor } from '../tensor/tensor.js';
import type { TextLayerLike } from '../layers/text_symbols.js';

/** A layer of this folder. */
type TextLayer = TextLayerLike & { readonly name: string };

/** The result of a layer that reads an input of strings. */
export interface TextResult {
  readonly layer: TextLayer;
  /** The input of the graph that stands for it, and its name. */
  readonly symbol: SymbolicTensor;
  readonly name: string;
}

/** Returns the name that the core gives to an Input: input_layer, with a number. */
function inputName(): string {
  const config = { batch_shape: [null], dtype: 'int32' };
  const handle = unwrap(native().layerCreate('InputLayer', config));
  try {
    return unwrap(native().layerInfo(handle)).name;
  } finally {
    native()._layer_free(handle);
  }
}

/**
 * Returns the name of the input of a graph that stands for a result of a layer. Layers have other
 * names, such as text_vectorization_1.
 */
export const resultName = (layer: string, call: string | number): string =>
  Number(call) === 0 ? layer : `${layer}:${call}`;

const calls = new WeakMap<TextLayer, number>();

/** Returns the shape and dtype of a layer's result for strings of a shape. */
export const resultOf = new Service<
  (
    name: string,
    layer: TextLayer,
    shape: readonly (number | null)[],
  ) => { readonly [setting: string]: unknown }
>('import maskflow/text first');

/** An input of strings, from `Input({ shape, dtype: 'string' })`: layers of text accept it. */
export class SymbolicText extends Identity {
  /** Name of the input. */
  readonly name: string;
  /** Shape with the batch. */
  readonly shape: readonly (number | null)[];
  /** Strings. */
  readonly dtype = 'string';
  /** Whether it has a shape but no data: always. */
  readonly isSymbolic = true;
  /** Results of the layers that read it. @internal */
  readonly results: TextResult[] = [];

  constructor({ shape, batchShape, batchSize = null, name }: InputOptions) {
    super();
    const whole = batchShape ?? (shape && [batchSize, ...shape]);
    if (!whole)
      throw new ConfigError("Input needs a shape: Input({ shape: [1], dtype: 'string' })");
    checkShape(whole);
    this.shape = [...whole];
    this.name = name ?? inputName();
  }

  /** Records the call of a layer. Returns its result in the graph. @internal */
  readBy(layer: TextLayer): SymbolicTensor {
    const call = calls.get(layer) ?? 0;
    const name = resultName(layer.name, call);
    const { batch_shape: batchShape, dtype } = resultOf.get()(name, layer, this.shape);
    const symbol = Input({ batchShape, dtype, name } as InputOptions);
    calls.set(layer, call + 1);
    this.results.push({ layer, symbol, name });
    return symbol;
  }

  /** Returns a description such as `<SymbolicText name=title, shape=(null, 1)>`. */
  override toString(): string {
    return `<SymbolicText name=${this.name}, shape=(${this.shape.join(', ')})>`;
  }
}

// SPDX-License-Identifier: MIT
// The class Sequential of all entries. The core owns the list of layers; this class keeps their
// objects alive.
import { kInputCount } from '../layers/args.js';
import { checkList, refuse, checkText, checkOptions } from '../base/check.js';
import { native, unwrap } from '../engine/engine.js';
import { ConfigError } from '../base/errors.js';
import type { LayerInputs, LayerOutputs } from '../layers/args.js';
import { inputNames } from '../layers/input.js';
import { addedLosses } from '../layers/added_losses.js';
import { Layer } from '../layers/layer.js';
import { Model } from './model.js';
import { objectsInside, Prepared } from '../layers/layer_objects.js';
import { type TextLayerLike, textGraphs } from '../layers/text_symbols.js';
import { tidy } from '../tensor/tidy.js';
import { freeTensors, type SymbolicTensor, Tensor } from '../tensor/tensor.js';

/**
 * A model of layers that run one after the other.
 *
 * Throws ConfigError for items that are not layers, and ShapeError if the layers do not fit.
 */
export class Sequential<
  Inputs extends LayerInputs = LayerInputs,
  Outputs extends LayerOutputs = Tensor,
> extends Model<Inputs, Outputs> {
  readonly #added: Layer[] = [];

  /**
   * @param layers Layers in the order in which they run; the first item may be an `Input` tensor.
   * With layers of maskflow/text in front, the model is a `TextModel`, which accepts texts.
   * @param options Name of the model. Default: 'sequential', with a number. `trainable: false`
   * freezes its layers.
   */
  // biome-ignore lint/correctness/noUnreachableSuper: a model of texts has a class of its own
  constructor(
    layers: readonly (Layer | SymbolicTensor | TextLayerLike)[] | Prepared = [],
    options: {
      /** Name of the model. Default: the class name, with a number. */
      name?: string;
      /** Whether training changes the weights. Default: true. */
      trainable?: boolean;
    } = {},
  ) {
    if (layers instanceof Prepared) {
      super(layers);
      this.#begin([]);
      return;
    }
    const ofText = textGraphs.supplied?.sequential(layers, options, new.target !== Sequential);
    // biome-ignore lint/correctness/noConstructorReturn: as above
    if (ofText) return ofText as never;
    checkList(layers, 'the argument of Sequential', ConfigError);
    const { name, trainable = true } = checkOptions(options, { name: 1, trainable: 1 });
    if (name) checkText(name, 'the name of a model');
    super(new Prepared(unwrap(native().sequentialCreate(name ? { name } : {}))));
    this.#begin(layers);
    if (!trainable) this.trainable = false;
  }

  // If the constructor throws, the caller has no object to dispose of.
  #begin(layers: readonly (Layer | SymbolicTensor | TextLayerLike)[]): void {
    try {
      for (const layer of layers) this.#append(layer);
      this.#buildIfKnown();
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** @internal */
  override get [kInputCount](): number {
    return 1;
  }

  /**
   * Appends a layer. The first one may be an `Input` tensor. After a layer of maskflow/text, the
   * model is a `TextModel`.
   */
  add(layer: Layer | SymbolicTensor | TextLayerLike): void {
    this.#append(layer);
    this.#buildIfKnown();
  }

  // As in Keras, layers after an Input, or after a model whose input is known, are built at once,
  // shapes that do not fit are refused, and losses of earlier calls are forgotten.
  #buildIfKnown(): void {
    addedLosses.supplied?.begin(this);
    if (!unwrap(native().modelHasGraph(this.handle)) && !this.#buildAfterModel()) return;
    const { inputs, outputs } = unwrap(native().modelSymbols(this.handle));
    freeTensors(inputs, outputs);
  }

  /** Builds the layers for the input of the first one, if that is a model with one known input. */
  #buildAfterModel(): boolean {
    const [first, second] = objectsInside<Layer>(this.handle);
    if (!second || !(first instanceof Model)) return false;
    if (!unwrap(native().modelHasGraph(first.handle))) return false;
    return tidy(() => {
      const [input, ...others] = first.inputs;
      if (!input || others.length > 0) return false;
      super.apply(input);
      return true;
    });
  }

  #append(layer: Layer | SymbolicTensor | TextLayerLike): void {
    if (textGraphs.supplied?.append(this, layer)) return;
    if (layer instanceof Tensor) {
      const { shape, dtype } = layer;
      const name = inputNames.get(layer);
      const config = { batch_shape: shape, dtype, ...(name && { name }) };
      const input = unwrap(native().layerCreate('InputLayer', config));
      unwrap(native().sequentialAdd(this.handle, input));
      native()._layer_free(input);
      return;
    }
    if (!(layer instanceof Layer))
      refuse(
        'an item of a Sequential model',
        'a layer, such as layers.dense({ units: 1 })',
        layer,
        ConfigError,
      );
    unwrap(native().sequentialAdd(this.handle, layer.handle));
    this.#added.push(layer);
  }

  /** Disposes of the model and its layers; see {@link Model.dispose}. */
  override dispose(): void {
    super.dispose();
    this.#added.length = 0;
  }

  /** Removes the last layer. */
  pop(): void {
    unwrap(native().sequentialPop(this.handle));
    this.#added.pop();
    addedLosses.supplied?.begin(this);
  }
}

// SPDX-License-Identifier: MIT
// Lambda is written as a custom layer, unlike the other layers of Keras, because its function is
// JavaScript.
import type { Masks } from './args.js';
import { checkFunction, checkShape, isShapeList } from '../base/check.js';
import { hide } from '../base/define.js';
import type { LayerTraits } from '../engine/native.js';
import { UnsupportedError } from '../base/errors.js';
import { Layer, type LayerConfig, type Shape, type ShapeLike } from './layer.js';
import { usesMask } from './uses_mask.js';
import { isTensor, type Tensor } from '../tensor/tensor.js';

/** Settings of a {@link Lambda}. */
export interface LambdaConfig extends LayerConfig {
  /** Computes the output with ops. Receives `mask` if its parameter list names it. */
  function: (inputs: never, options: { mask: never; training: boolean | null }) => unknown;
  /** Computes the mask of the output, or is that mask. Without it the layer drops masks. */
  mask?: ((inputs: never, mask: never) => unknown) | Tensor;
  /**
   * Computes the output shape, or is the shape without the batch. Default: found by running
   * `function`.
   */
  outputShape?: ((inputShape: Shape) => Shape) | Shape;
}

/** Layer that calls a function. As in Keras, it supports masking only if `mask` is set. */
export class Lambda extends Layer {
  /** Class name, stored as text because the core needs it and minified classes lose theirs. */
  static override readonly name: string = 'Lambda';
  /** Settings that were passed to the constructor. */
  declare readonly settings: LambdaConfig;

  constructor(config: LambdaConfig) {
    super(config);
    this.supportsMasking = this.settings.mask !== undefined;
  }

  /** @internal */
  protected override traits(config: LayerConfig): LayerTraits {
    const { function: f, mask, outputShape } = config as LambdaConfig;
    if (typeof f !== 'function') {
      throw new UnsupportedError(
        'Lambda needs { function }: Python code cannot run here, pass its replacement',
      );
    }
    if (mask && !isTensor(mask)) checkFunction(mask, 'the mask of a Lambda');
    if (outputShape && typeof outputShape !== 'function') checkShape(outputShape, 'outputShape');
    hide(this, 'settings', config);
    // Without a rule, the core runs the function to find the shape.
    if (!outputShape) hide(this, 'computeOutputShape', Layer.prototype.computeOutputShape);
    return { ...super.traits(config), takesMask: usesMask(this, f), overridesComputeMask: true };
  }

  /** Calls the setting `function`. */
  override call(inputs: never, options: { mask: never; training: boolean | null }): unknown {
    return this.settings.function(inputs, options);
  }

  /** Returns the mask by the setting `mask`; null without it. */
  override computeMask(inputs: never, mask: Masks = null): Tensor | null | (Tensor | null)[] {
    const rule = this.settings.mask;
    const result = typeof rule === 'function' ? rule(inputs, mask as never) : rule;
    return (result ?? null) as Tensor | null;
  }

  /** Returns the output shape by the setting `outputShape`. */
  override computeOutputShape(inputShape: ShapeLike | readonly ShapeLike[]): Shape | Shape[] {
    const { outputShape } = this.settings;
    if (typeof outputShape === 'function') return outputShape(inputShape as Shape);
    const [first] = isShapeList(inputShape) ? inputShape : [inputShape];
    return [(first as Shape | undefined)?.[0] ?? null, ...(outputShape ?? [])];
  }
}

/** Creates a layer that calls a function. */
export const lambda = (config: LambdaConfig): Lambda => new Lambda(config);

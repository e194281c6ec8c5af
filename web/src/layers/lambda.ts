// SPDX-License-Identifier: MIT
import type { Masks } from './args.js';
import { checkFunction, checkShape, optionsOf } from '../base/check.js';
import { UnsupportedError } from '../base/errors.js';
import { Layer, type LayerConfig, type Shape, takesMask } from './layer.js';
import { isTensor, type Tensor } from '../tensor/tensor.js';

export interface LambdaConfig extends LayerConfig {
  /** Written with ops; gets `mask` when the word stands in its text. */
  function: (inputs: never, options: { mask: never; training: boolean | null }) => unknown;
  /** How the mask of the output comes about, or that mask itself. Without it the layer drops masks. */
  mask?: ((inputs: never, mask: never) => unknown) | Tensor;
  outputShape?: ((inputShape: Shape) => Shape) | Shape;
}

/** A function as a layer. It supports masking only when `mask` is given, as in Keras. */
export class Lambda extends Layer {
  // Classes lose their names when they are minified; this one is told to the core.
  static override readonly name: string = 'Lambda';
  declare readonly settings: LambdaConfig;

  constructor(config: LambdaConfig) {
    const { function: f, mask, outputShape } = optionsOf(config, 'the settings of a Lambda');
    if (typeof f !== 'function') {
      throw new UnsupportedError(
        'Lambda needs { function }: Python code cannot run here, pass its replacement',
      );
    }
    if (mask && !isTensor(mask)) checkFunction(mask, 'the mask of a Lambda');
    if (outputShape && typeof outputShape !== 'function') checkShape(outputShape, 'outputShape');
    super(config);
    Object.defineProperty(this, 'settings', { value: config, enumerable: false });
    this.supportsMasking = config.mask !== undefined;
    if (!config.outputShape) {
      // Without a rule the core finds the shape by running the function.
      Object.defineProperty(this, 'computeOutputShape', {
        value: Layer.prototype.computeOutputShape,
      });
    }
  }

  /** @internal */
  protected override traits(config: LayerConfig): {
    takesMask: boolean;
    overridesComputeMask: boolean;
    isModel: boolean;
  } {
    const { function: f } = config as LambdaConfig;
    return { takesMask: takesMask(this, f), overridesComputeMask: true, isModel: false };
  }

  override call(inputs: never, options: { mask: never; training: boolean | null }): unknown {
    return this.settings.function(inputs, options);
  }

  override computeMask(inputs: never, mask: Masks = null): Tensor | null | (Tensor | null)[] {
    const rule = this.settings.mask;
    const made = typeof rule === 'function' ? rule(inputs, mask as never) : rule;
    return (made ?? null) as Tensor | null;
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape | Shape[] {
    const { outputShape } = this.settings;
    if (typeof outputShape === 'function') return outputShape(inputShape as Shape);
    const batch = (inputShape as Shape)[0] ?? null;
    return [batch, ...(outputShape ?? [])];
  }
}

/** A function as a layer. */
export const lambda = (config: LambdaConfig): Lambda => new Lambda(config);

// SPDX-License-Identifier: MIT
// The layers of a CRF: the scores of pairs, and the best tags.
import { optionsOf } from '../base/check.js';
import { ConfigError, ShapeError } from '../base/errors.js';
import { Layer } from '../layers/layer.js';
import type { Config, LayerConfig, Shape, ShapeLike } from '../layers/layer_config.js';
import type { InitializerLike } from '../layers/keras_names.js';
import type { Variable } from '../layers/variable.js';
import { isTensor, type Tensor } from '../tensor/tensor.js';
import { crfDecode } from './crf_functions.js';
import { markMasked, pairScores } from './crf_scores.js';

/** Settings of {@link CRF}. */
export interface CRFConfig extends LayerConfig {
  /** Whether the first and the last tag of a sequence have scores of their own. Default: true. */
  useBoundary?: boolean;
  /** Creates the first transitions. Default: 'zeros'. */
  transitionsInitializer?: InitializerLike;
}

/** Throws ShapeError unless a layer receives a row of scores for each step. */
function checkRank({ name }: Layer, shape: ShapeLike, rank: number, form: string): void {
  if (shape.length === rank) return;
  throw new ShapeError(`'${name}': the input has shape [${shape}] but must be ${form}`);
}

/**
 * Linear-chain conditional random field: the last layer of a model that tags each step. It learns
 * which tags follow each other. The input has a score for each tag, [batch, steps, tags], for
 * example from a Dense layer without activation. The output has the scores of all pairs of
 * neighbouring tags, [batch, steps, tags + 2, tags], which {@link crfLoss}, {@link crfDecode} and
 * {@link CRFDecoder} read.
 *
 * Masked steps count as removed: padding on either side, and holes. Their scores are -1e30, so that
 * results of `predict` say which steps are masked. The mask is passed on.
 *
 * Weights: `transitions` [tags, tags] (row = tag before, column = tag after), and `start` and `end`
 * [tags].
 *
 * Throws ShapeError for inputs of another rank.
 */
export class CRF extends Layer {
  /** The layer marks masked steps. */
  static override readonly usesMask = true;
  /** Whether the first and the last tag of a sequence have scores of their own. */
  readonly useBoundary: boolean;
  /** Score of each pair of tags, [tags, tags], once the layer is built. */
  declare transitions: Variable;
  /** Score of each tag as the first, once the layer is built; absent without boundaries. */
  declare start?: Variable;
  /** Score of each tag as the last, once the layer is built; absent without boundaries. */
  declare end?: Variable;
  readonly #initializer: InitializerLike;

  constructor(config: CRFConfig = {}) {
    const {
      useBoundary = true,
      transitionsInitializer = 'zeros',
      ...rest
    } = camelCased(optionsOf(config, 'the settings of a layer'));
    super(rest);
    if (typeof useBoundary !== 'boolean') {
      throw new ConfigError(`CRF: useBoundary is ${String(useBoundary)} but must be true or false`);
    }
    this.supportsMasking = true;
    this.useBoundary = useBoundary;
    this.#initializer = transitionsInitializer;
  }

  /** Creates the weights for scores of the shape [batch, steps, tags]. */
  override build(inputShape: ShapeLike): void {
    checkRank(this, inputShape, 3, '[batch, steps, tags]');
    const tags = inputShape[2];
    if (typeof tags !== 'number') {
      throw new ShapeError(
        `'${this.name}': the number of tags, the last axis of the input [${inputShape}], must be known`,
      );
    }
    const initializer = this.#initializer;
    this.transitions = this.addWeight({ name: 'transitions', shape: [tags, tags], initializer });
    if (!this.useBoundary) return;
    this.start = this.addWeight({ name: 'start', shape: [tags], initializer: 'zeros' });
    this.end = this.addWeight({ name: 'end', shape: [tags], initializer: 'zeros' });
  }

  /** Returns [batch, steps, tags + 2, tags]. Throws ShapeError as `build` does. */
  override computeOutputShape(inputShape: ShapeLike): Shape {
    checkRank(this, inputShape, 3, '[batch, steps, tags]');
    const [batch, steps, tags] = inputShape as [number | null, number | null, number];
    return [batch, steps, tags + 2, tags];
  }

  /** @internal */
  override call(inputs: Tensor, { mask }: { mask: Tensor | null }): Tensor {
    checkRank(this, inputs.shape, 3, '[batch, steps, tags]');
    const { transitions, start, end } = this;
    const scores = pairScores(inputs, transitions.value, start?.value ?? null, end?.value ?? null);
    return markMasked(scores, isTensor(mask) ? mask : null);
  }

  /** Returns the settings under Keras's names. */
  override getConfig(): Config {
    return {
      ...super.getConfig(),
      use_boundary: this.useBoundary,
      transitions_initializer: this.#initializer,
    };
  }
}

/** Returns the settings with the names of the constructor: configs of files have Keras's form. */
function camelCased(config: CRFConfig): CRFConfig {
  const {
    use_boundary: useBoundary,
    transitions_initializer: transitionsInitializer,
    ...rest
  } = config as CRFConfig & {
    use_boundary?: boolean;
    transitions_initializer?: InitializerLike;
  };
  return {
    ...(useBoundary === undefined ? {} : { useBoundary }),
    ...(transitionsInitializer === undefined ? {} : { transitionsInitializer }),
    ...rest,
  };
}

/**
 * The best tags of a CRF, int32 [batch, steps]; 0 at masked steps. The input is the output of
 * {@link CRF}. Append it after training: `new Sequential([...model.layers, new CRFDecoder()])`
 * predicts tags. It has no gradients.
 *
 * Throws ShapeError for other inputs.
 */
export class CRFDecoder extends Layer {
  /** The layer leaves out masked steps. */
  static override readonly usesMask = true;

  constructor(config: LayerConfig = {}) {
    super(config);
    this.supportsMasking = true;
  }

  /** Returns [batch, steps]. */
  override computeOutputShape(inputShape: ShapeLike): Shape {
    checkRank(this, inputShape, 4, '[batch, steps, tags + 2, tags], as the layer CRF returns it');
    return inputShape.slice(0, 2);
  }

  /** @internal */
  override call(inputs: Tensor, { mask }: { mask: Tensor | null }): Tensor {
    checkRank(this, inputs.shape, 4, '[batch, steps, tags + 2, tags], as the layer CRF returns it');
    return crfDecode(inputs, { mask: isTensor(mask) ? mask : null }).tags.withMask(null);
  }
}

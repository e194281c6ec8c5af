// SPDX-License-Identifier: MIT
import type { LayerInputs } from '../layers/args.js';
import { Layer } from '../layers/layer.js';
import type { PerOutput } from '../measures/evaluation.js';
import type { TensorLike } from '../tensor/tensor.js';
import { training } from './services.js';
import type {
  Batches,
  CompileOptions,
  FitOptions,
  History,
  Logs,
  ModelOptimizer,
  TrainOnBatchOptions,
} from './train_options.js';

/** What models have for training. UnsupportedError but for `maskflow/train`. */
export class Trainable<Inputs extends LayerInputs = LayerInputs> extends Layer {
  /** @internal */
  declare compiled?: { dispose(): void };
  /** A callback that sets it ends `fit` after the batch it is at. */
  declare stopTraining?: boolean;

  /**
   * Says how the model is trained. Layers that are not trainable now are left alone until it is called again.
   */
  compile(options: CompileOptions = {}): void {
    training.get().compile(this, options);
  }

  /** The one that was compiled with. */
  get optimizer(): ModelOptimizer {
    return training.get().optimizer(this);
  }

  /**
   * Trains the model: for each batch the gradients of the loss, and a step of the optimizer. Other tasks of the page are let in about
   * every 16 ms, but not before a batch is done.
   *
   * @example const { history } = await model.fit(x, y, { epochs: 5, validationSplit: 0.2 })
   */
  fit(batches: Batches<Inputs>, options?: FitOptions<Inputs>): Promise<History>;
  fit(
    x: Inputs,
    y: PerOutput<TensorLike> | null | undefined,
    options?: FitOptions<Inputs>,
  ): Promise<History>;
  async fit(x: never, y?: never, options?: never): Promise<History> {
    return training.get().fit(this, x, y, options);
  }

  /** A step of training on one batch; gives loss and metrics before it. */
  async trainOnBatch(
    x: Inputs,
    y: PerOutput<TensorLike>,
    options: TrainOnBatchOptions = {},
  ): Promise<Logs> {
    return training.get().onBatch(this, x, y, options, true);
  }

  /** Loss and metrics of one batch, in inference mode. */
  async testOnBatch(
    x: Inputs,
    y: PerOutput<TensorLike>,
    options: Pick<TrainOnBatchOptions, 'sampleWeight'> = {},
  ): Promise<Logs> {
    return training.get().onBatch(this, x, y, options, false);
  }

  /** Begins the means of losses and metrics anew. */
  resetMetrics(): void {
    training.get().resetMetrics(this);
  }
}

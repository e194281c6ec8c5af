// SPDX-License-Identifier: MIT
// The methods of a model that train it. They exist in every entry, so that a model has one type; a
// service does the work.
import type { LayerInputs, LayerOutputs } from '../layers/args.js';
import { show } from '../base/check.js';
import { define } from '../base/define.js';
import { ValueError } from '../base/errors.js';
import { Layer } from '../layers/layer.js';
import type { PerOutput } from '../measures/evaluation.js';
import type { Tensor, TensorLike } from '../tensor/tensor.js';
import { training } from './services.js';
import type {
  Batches,
  CompileOptions,
  FitOptions,
  History,
  Logs,
  ModelMetric,
  ModelOptimizer,
  StepData,
  StepLogs,
  TrainOnBatchOptions,
} from './train_options.js';

/** Training of models. Without `maskflow/train`, its methods throw UnsupportedError. */
export class Trainable<Inputs extends LayerInputs = LayerInputs> extends Layer {
  /** @internal */
  declare compiled?: { dispose(): void };
  /** A callback sets it to true to end `fit` after the current batch. */
  declare stopTraining?: boolean;
  /** A callback sets it to true to end `evaluate` after the current batch. */
  declare stopEvaluating?: boolean;
  /** A callback sets it to true to end `predict` after the current batch. */
  declare stopPredicting?: boolean;

  /**
   * Sets the optimizer, losses and metrics. Which layers are trained is decided when training
   * begins; call it again after a change of `trainable`.
   *
   * Throws ConfigError for an unknown name or an invalid setting, and StateError during `fit`.
   */
  compile(options: CompileOptions = {}): void {
    training.get().compile(this, options);
  }

  /**
   * Returns what `save` writes of `compile`, for {@link compileFromConfig}. Declare both in a class
   * whose losses or metrics files cannot hold.
   */
  getCompileConfig?(): { [key: string]: unknown };
  /** Calls `compile` with what {@link getCompileConfig} returned; `loadModel` calls it. */
  compileFromConfig?(config: never): void;

  /** The optimizer of the compiled model. Throws StateError before `compile`. */
  get optimizer(): ModelOptimizer {
    return training.get().optimizer(this);
  }

  /**
   * Trains on batches that you make, one after the other.
   *
   * @param batches An iterable of [x, y] or [x, y, sampleWeight], or a function that creates one.
   */
  fit(batches: Batches<Inputs>, options?: FitOptions<Inputs>): Promise<History>;
  /**
   * Trains the model: for each batch, it computes the gradients of the loss and takes a step of the
   * optimizer. Between batches, about every 16 ms, it lets other tasks of the page run.
   *
   * Throws StateError before `compile` or during another `fit`, ValueError or ShapeError for data
   * that does not fit, and ConfigError for an unknown option.
   *
   * @param x Inputs, one row for each sample: a tensor, an array, or a list or dictionary of them.
   * @param y Targets, in the shape of the outputs. A list or dictionary for several outputs; null
   *   if all losses come from layers or from a step of the model: `fit(x, { epochs: 2 })`.
   * @returns The losses and metrics of each epoch, and the model.
   */
  fit(
    x: Inputs,
    y: PerOutput<TensorLike> | FitOptions<Inputs> | null | undefined,
    options?: FitOptions<Inputs>,
  ): Promise<History>;
  async fit(x: never, y?: never, options?: never): Promise<History> {
    return training.get().fit(this, x, y, options);
  }

  /**
   * Takes one step of training on a batch.
   *
   * @param x Inputs of the batch, one row for each sample.
   * @param y Targets, in the shape of the outputs; a list or dictionary for several outputs.
   * @returns Loss and metrics from before the step.
   */
  async trainOnBatch(
    x: Inputs,
    y?: PerOutput<TensorLike> | null,
    options: TrainOnBatchOptions = {},
  ): Promise<Logs> {
    return training.get().onBatch(this, x, y, options, true);
  }

  /**
   * Computes loss and metrics of one batch, in inference mode.
   *
   * @param x Inputs of the batch, one row for each sample.
   * @param y Targets, in the shape of the outputs; a list or dictionary for several outputs.
   */
  async testOnBatch(
    x: Inputs,
    y?: PerOutput<TensorLike> | null,
    options: Pick<TrainOnBatchOptions, 'sampleWeight'> = {},
  ): Promise<Logs> {
    return training.get().onBatch(this, x, y, options, false);
  }

  /**
   * Trains on one batch; `fit` and `trainOnBatch` call it. Override it to train otherwise: compute
   * gradients with `valueAndGradients`, pass them to an optimizer, and return the logs. Those of
   * the last batch are the logs of the epoch. Tensors created inside are freed.
   *
   * @param data Inputs, targets and sample weights; undefined where absent.
   */
  trainStep(data: StepData): StepLogs {
    return training.get().step(this, data, true);
  }

  /** Tests on one batch, for `evaluate`, `testOnBatch` and validation; see {@link trainStep}. */
  testStep(data: StepData): StepLogs {
    return training.get().step(this, data, false);
  }

  /** Predicts one batch, for `predict` of maskflow/train. Override it to return other outputs. */
  predictStep(data: StepData): LayerOutputs {
    if (!Array.isArray(data)) {
      throw new ValueError(`predictStep: the data are ${show(data)} but must be a list; pass [x]`);
    }
    return this.apply<LayerOutputs>(data[0], { training: false });
  }

  /**
   * Returns the loss of a batch, as a tensor to differentiate. `fit`, `evaluate` and the like call
   * it; override it to compute another one, then `compile` needs no loss. The base class adds the
   * losses of all outputs by their weights, losses of {@link losses}, and penalties of weights.
   *
   * It may also be called as `computeLoss(y, yPred, { sampleWeight })`. Throws StateError before
   * `compile`, and ValueError for a third tensor that may be predictions or weights.
   *
   * @param x Inputs; the base class does not use them.
   * @param y Targets; undefined where absent.
   * @param yPred Outputs of the model.
   * @param sampleWeight Weights, one for each output if there are several; undefined where absent.
   * @param training Whether the model is trained.
   */
  computeLoss(
    x: unknown,
    y: unknown,
    yPred?: unknown,
    sampleWeight?: unknown,
    training?: boolean,
  ): Tensor;
  computeLoss(...args: readonly unknown[]): Tensor {
    return training.get().computeLoss(this, args);
  }

  /**
   * Metrics for a {@link trainStep} of your own, which `fit` resets before each epoch: a mean named
   * 'loss', those of `compile` as one, and those in properties of the model and of custom layers.
   * Override the getter to list others.
   */
  get metrics(): readonly ModelMetric[] {
    return training.get().metrics(this);
  }

  // A class may have a property of its own with this name.
  set metrics(value: unknown) {
    define(this, 'metrics', value, true);
  }

  /**
   * Adds a batch to the metrics of `compile` and returns all results. `fit`, `evaluate` and the
   * like call it; override it to compute others, and return the logs.
   *
   * @param _x Inputs; the base class does not use them.
   * @param y Targets; undefined where absent.
   * @param yPred Outputs of the model.
   * @param sampleWeight Weights of samples, or `{ sampleWeight }`; undefined where absent.
   */
  computeMetrics(_x: unknown, y: unknown, yPred: unknown, sampleWeight?: unknown): StepLogs {
    return training.get().computeMetrics(this, y, yPred, sampleWeight);
  }

  /** Results of {@link metrics} since the last reset, by name. */
  getMetricsResult(): Logs {
    return training.get().results(this);
  }

  /** Resets the means of losses and metrics. */
  resetMetrics(): void {
    training.get().resetMetrics(this);
  }
}

// SPDX-License-Identifier: MIT
// What compile and fit of a model take and give. What they do is in training/; models name it.
import type { LayerInputs } from '../layers/args.js';
import type { Variable } from '../layers/variable.js';
import type { Evaluation, Measured, MetricLike, PerOutput } from '../measures/evaluation.js';
import type { LossFunction } from '../measures/loss.js';
import type { LossName } from '../measures/names.gen.js';
import type { DType, Tensor, TensorLike } from '../tensor/tensor.js';

/** Keras's names of optimizers. */
export type OptimizerName =
  | 'adadelta'
  | 'adafactor'
  | 'adagrad'
  | 'adam'
  | 'adamax'
  | 'adamw'
  | 'ftrl'
  | 'lamb'
  | 'lion'
  | 'muon'
  | 'nadam'
  | 'rmsprop'
  | 'schedulefreeadamw'
  | 'sgd';

/** What models know of an optimizer; `optimizers` of maskflow/train makes them. */
export interface ModelOptimizer {
  readonly name: string;
  readonly className: string;
  /** Of the next step; set to a number, a schedule or a function, where the optimizer takes these. */
  learningRate: number;
  /** Updates that were made. */
  readonly iterations: number;
  readonly built: boolean;
  /** What it keeps, in Keras's order. */
  readonly variables: readonly {
    readonly name: string;
    readonly path: string;
    readonly shape: readonly number[];
    readonly dtype: DType;
  }[];
  getWeights(): Tensor[];
  setWeights(values: readonly Tensor[]): void;
  getConfig(): { [key: string]: unknown };
  build(variables: readonly Variable[]): void;
  apply(gradients: readonly (Tensor | null)[], variables: readonly Variable[]): void;
  /** What gradients are taken of in place of the loss. */
  scaleLoss(loss: Tensor): Tensor;
  finalizeVariableValues(variables: readonly Variable[]): void;
  dispose(): void;
}

/** An optimizer, loss or metric as Keras writes it into configurations. */
export interface MeasureConfig {
  readonly class_name: string;
  readonly config?: { readonly [setting: string]: unknown };
}

/** One metric of `compile`. */
export type CompiledMetric = MetricLike | MeasureConfig;
type CompiledMetrics = PerOutput<CompiledMetric | null | readonly CompiledMetric[]>;

export interface CompileOptions<Optimizer = ModelOptimizer>
  extends Omit<Measured, 'loss' | 'metrics' | 'weightedMetrics'> {
  /** A name, a configuration of Keras's, or one of `optimizers`. Default 'rmsprop', as in Keras. */
  optimizer?: OptimizerName | MeasureConfig | Optimizer;
  /**
   * A name of Keras's, a configuration with its settings ({ class_name: 'Huber', config: { delta: 2 } }), or a function: what it
   * gives for each sample or step is weighted, masked and averaged; a single number stays.
   */
  loss?: PerOutput<LossName | LossFunction | MeasureConfig | null> | null;
  /** Names, configurations, functions and `Metric`s, as `evaluate` takes them. */
  metrics?: CompiledMetrics | null;
  /** The same, with sample weights. */
  weightedMetrics?: CompiledMetrics | null;
}

/** Inputs, targets and weights of a batch. */
export type BatchOf<Inputs extends LayerInputs = LayerInputs> = readonly [
  x: Inputs,
  y: PerOutput<TensorLike> | null,
  sampleWeight?: PerOutput<TensorLike> | null,
];

/**
 * Batches that come one after the other. A generator runs once: for several epochs give a function that makes one, or
 * `stepsPerEpoch`. Tensors in them stay yours.
 */
export type Batches<Inputs extends LayerInputs = LayerInputs> =
  | Iterable<BatchOf<Inputs>>
  | AsyncIterable<BatchOf<Inputs>>
  | (() => readonly BatchOf<Inputs>[] | Iterable<BatchOf<Inputs>> | AsyncIterable<BatchOf<Inputs>>);

/** Losses and metrics by their names. Callbacks may add to them: what is there at the end of an epoch is in the history. */
export type Logs = Evaluation & { readonly loss: number };

/** Promises are waited for. */
type Later = unknown;

/** What a callback may have; `callbacks.Callback` is a class to extend. */
export interface TrainingCallback {
  setModel?(model: never): void;
  setParams?(params: TrainingParams): void;
  onTrainBegin?(): Later;
  /** @param logs Those of the last epoch. */
  onTrainEnd?(logs: Logs): Later;
  onEpochBegin?(epoch: number): Later;
  onEpochEnd?(epoch: number, logs: Logs): Later;
  onBatchBegin?(batch: number): Later;
  /** @param logs Means since the epoch began. */
  onBatchEnd?(batch: number, logs: Logs): Later;
  onTestBegin?(): Later;
  onTestEnd?(logs: Logs): Later;
  onTestBatchBegin?(batch: number): Later;
  onTestBatchEnd?(batch: number, logs: Logs): Later;
}

/** What callbacks are told of a call of `fit`. */
export interface TrainingParams {
  readonly epochs: number;
  /** Batches of an epoch; null where that is not known yet. */
  readonly steps: number | null;
  readonly verbose: number;
}

export interface FitOptions<Inputs extends LayerInputs = LayerInputs>
  extends Pick<TrainingCallback, 'onEpochBegin' | 'onEpochEnd' | 'onBatchBegin' | 'onBatchEnd'> {
  /** Rows at a time, default 32. Batches of an iterable stay as they are. */
  batchSize?: number;
  /** The number of the epoch at which to end, default 1. */
  epochs?: number;
  /** The number of the first epoch, default 0. */
  initialEpoch?: number;
  /** A new order of the rows in each epoch (default), in each batch ('batch'), or none. */
  shuffle?: boolean | 'batch';
  /** Of the order: the same seed gives the same one, everywhere. */
  seed?: number;
  /** [x, y] or [x, y, sampleWeight], or batches. */
  validationData?: BatchOf<Inputs> | Batches<Inputs>;
  /** The share of the rows, the last ones, that are validated with and not trained on. */
  validationSplit?: number;
  /** Every so many epochs, or after these (the first is 1). Default 1. */
  validationFreq?: number | readonly number[];
  /** Default: that of training. */
  validationBatchSize?: number;
  /** Batches of a validation, default all. */
  validationSteps?: number;
  /** Shape of the loss before it is reduced: [batch], or [batch, time]; lists or dictionaries for several outputs. */
  sampleWeight?: PerOutput<TensorLike> | null;
  /** Weights of the classes that y names; those that are missing weigh 1. */
  classWeight?: { readonly [label: number]: number };
  /** Batches of an epoch; the next one goes on where it ends. */
  stepsPerEpoch?: number;
  callbacks?: readonly TrainingCallback[];
  /** 1: a line with a bar, 2: a line for each epoch, 0 (default): nothing. */
  verbose?: 0 | 1 | 2;
  /** Ends `fit` after the batch it is at, with the signal's reason; weights stay as they are then. */
  signal?: AbortSignal;
  /**
   * A loss that is NaN: 'ignore' (default, as Keras), 'warn' once with the layer that made it first, or 'stop' with a ValueError that says so,
   * before the weights change.
   */
  onNaN?: 'ignore' | 'warn' | 'stop';
}

export interface TrainOnBatchOptions {
  sampleWeight?: PerOutput<TensorLike> | null;
  classWeight?: { readonly [label: number]: number };
}

/** What `fit` gives. */
export interface History {
  /** A number for each epoch: `loss`, metrics, the same with `val_` in front, `learning_rate` where a callback sets it. In Keras's order. */
  readonly history: {
    readonly [name: string]: readonly (number | number[])[];
    readonly loss: readonly number[];
  };
  /** The numbers of the epochs. */
  readonly epoch: readonly number[];
  readonly params: TrainingParams;
}

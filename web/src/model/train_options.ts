// SPDX-License-Identifier: MIT
// Options and results of compile and fit. training/ implements them.
import type { LayerInputs, LayerOutputs } from '../layers/args.js';
import type { WeightInfo } from '../layers/layer_config.js';
import type { Variable } from '../layers/variable.js';
import type { Evaluation, Measured, MetricLike, PerOutput } from '../measures/evaluation.js';
import type { LossFunction } from '../measures/loss.js';
import type { LossName } from '../measures/names.gen.js';
import type { DType, Tensor, TensorLike } from '../tensor/tensor.js';

/** Name of an optimizer, as in Keras. */
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

/** The members of an optimizer that models use; create one with `optimizers` of maskflow/train. */
export interface ModelOptimizer {
  /** Name of the optimizer. */
  readonly name: string;
  /** Class name, as in Keras. */
  readonly className: string;
  /** Learning rate of the next step. Set it to a number, a schedule or a function of the step. */
  get learningRate(): number;
  set learningRate(rate:
    | number
    | { readonly class_name: string; readonly config?: object }
    | ((step: number) => number));
  /** Number of updates so far. */
  readonly iterations: number;
  /** Whether the optimizer has its variables. */
  readonly built: boolean;
  /** State of the optimizer, in Keras's order. */
  readonly variables: readonly {
    readonly name: string;
    readonly path: string;
    readonly shape: readonly number[];
    readonly dtype: DType;
  }[];
  /** Returns the values of `variables` as new tensors. */
  getWeights(): Tensor[];
  /** Sets the values of `variables`, in their order. */
  setWeights(values: readonly Tensor[]): void;
  /** Returns the settings in Keras's form. */
  getConfig(): { [key: string]: unknown };
  /** Creates the state for these variables. */
  build(variables: readonly (Variable | WeightInfo)[]): void;
  /** Takes one step. */
  apply(gradients: readonly (Tensor | null)[], variables: readonly (Variable | WeightInfo)[]): void;
  /** Returns the value to differentiate in place of the loss. */
  scaleLoss(loss: Tensor): Tensor;
  /** Ends training: with `useEma`, sets the variables to their averages. */
  finalizeVariableValues(variables: readonly Variable[]): void;
  /** Frees the state. */
  dispose(): void;
}

/** Config of an optimizer, loss or metric, as Keras writes it. */
export interface MeasureConfig {
  /** Class name, as in Keras: 'Huber'. */
  readonly class_name: string;
  /** Settings under Keras's names. Default: those of the class. */
  readonly config?: { readonly [setting: string]: unknown };
}

/** One metric of `compile`. */
export type CompiledMetric = MetricLike | MeasureConfig;
/** Metrics of one output, or a list or dictionary for several. */
type CompiledMetrics = PerOutput<CompiledMetric | null | readonly CompiledMetric[]>;

/** Options of `compile`. */
export interface CompileOptions<Optimizer = ModelOptimizer>
  extends Omit<Measured, 'loss' | 'metrics' | 'weightedMetrics'> {
  /** A name, a Keras config, or an optimizer from `optimizers`. Default: 'rmsprop', as in Keras. */
  optimizer?: OptimizerName | MeasureConfig | Optimizer;
  /**
   * A name of a Keras loss, a config with its settings such as
   * `{ class_name: 'Huber', config: { delta: 2 } }`, or a function. If the function returns a value
   * for each sample or step, these are weighted, masked and averaged; a single number is used as it
   * is.
   */
  loss?: PerOutput<LossName | LossFunction | MeasureConfig | null> | null;
  /** Names, configs, functions and `Metric`s; sample weights do not count in them. */
  metrics?: CompiledMetrics | null;
  /** Metrics in which sample weights count. */
  weightedMetrics?: CompiledMetrics | null;
}

/** Inputs, targets and weights of a batch. */
export type BatchOf<Inputs = LayerInputs> = readonly [
  x: Inputs,
  y: PerOutput<TensorLike> | null,
  sampleWeight?: PerOutput<TensorLike> | null,
];

/**
 * Batches in sequence. A generator runs once: for several epochs, pass a function that creates one,
 * or set `stepsPerEpoch`. Training does not dispose of their tensors.
 */
export type Batches<Inputs extends LayerInputs = LayerInputs> =
  | Iterable<BatchOf<Inputs>>
  | AsyncIterable<BatchOf<Inputs>>
  | ReadableStream<BatchOf<Inputs>>
  | (() =>
      | readonly BatchOf<Inputs>[]
      | Iterable<BatchOf<Inputs>>
      | AsyncIterable<BatchOf<Inputs>>
      | ReadableStream<BatchOf<Inputs>>);

/**
 * Losses and metrics by name. Callbacks may add numbers; those at the end of an epoch are in the
 * history.
 */
export type Logs = Evaluation & { readonly loss: number };

/** Inputs, targets and sample weights of a batch; undefined where absent. */
export type StepData = readonly [
  x: LayerOutputs,
  y?: LayerOutputs | undefined,
  sampleWeight?: LayerOutputs | undefined,
];
/** Logs of a batch: numbers, or tensors of one number. Dictionaries of these are merged in. */
export interface StepLogs {
  /** A log by its name. */
  readonly [name: string]: number | readonly number[] | Tensor | StepLogs;
}

/** A metric of a model that is trained. */
export interface ModelMetric {
  /** Key of its result. */
  readonly name: string;
  /** Adds a batch: values, or targets and predictions. */
  updateState(
    yTrue: unknown,
    yPred?: unknown,
    options?: { sampleWeight?: unknown; mask?: unknown },
  ): void;
  /** The result of all batches since the last reset; a dictionary of several metrics. */
  result(): number | number[] | Logs;
  /** Forgets the batches. */
  resetState(): void;
}

/** Result of a callback's method. `fit` waits for a promise. */
type Later = unknown;

/**
 * Methods of a callback, all optional. `callbacks.Callback` is a class to extend. Events without
 * results have an empty dictionary for `logs`.
 */
export interface TrainingCallback {
  /** Receives the model before training. */
  setModel?(model: never): void;
  /** Receives the parameters of `fit` before training. */
  setParams?(params: TrainingParams): void;
  /** Called before the first epoch. */
  onTrainBegin?(logs: Logs): Later;
  /**
   * Called after the last epoch.
   *
   * @param logs Logs of the last epoch, without numbers that callbacks added.
   */
  onTrainEnd?(logs: Logs): Later;
  /** Called before an epoch; the first is 0. */
  onEpochBegin?(epoch: number, logs: Logs): Later;
  /** Called after an epoch and its validation. Numbers added to `logs` are in the history. */
  onEpochEnd?(epoch: number, logs: Logs): Later;
  /** Called before a batch of training; the first is 0. */
  onBatchBegin?(batch: number, logs: Logs): Later;
  /**
   * Called after a batch of training.
   *
   * @param logs Means since the start of the epoch.
   */
  onBatchEnd?(batch: number, logs: Logs): Later;
  /** Keras's other name of `onBatchBegin`; called in its place. */
  onTrainBatchBegin?(batch: number, logs: Logs): Later;
  /** Keras's other name of `onBatchEnd`; called in its place. */
  onTrainBatchEnd?(batch: number, logs: Logs): Later;
  /** Called before a validation or `evaluate`. */
  onTestBegin?(logs: Logs): Later;
  /** Called after a validation or `evaluate`. */
  onTestEnd?(logs: Logs): Later;
  /** Called before a batch of a validation or `evaluate`. */
  onTestBatchBegin?(batch: number, logs: Logs): Later;
  /** Called after a batch of a validation or `evaluate`. */
  onTestBatchEnd?(batch: number, logs: Logs): Later;
  /** Called before the first batch of `predict`. */
  onPredictBegin?(logs: Logs): Later;
  /** Called after the last batch of `predict`. */
  onPredictEnd?(logs: Logs): Later;
  /** Called before a batch of `predict`. */
  onPredictBatchBegin?(batch: number, logs: Logs): Later;
  /**
   * Called after a batch of `predict`.
   *
   * @param logs The outputs of the batch, which are freed afterwards.
   */
  onPredictBatchEnd?(batch: number, logs: { readonly outputs: LayerOutputs }): Later;
}

/** Callbacks of `evaluate` and `predict`, in maskflow/train. */
export interface CallbackOptions {
  /**
   * Objects that are notified, in this order. `evaluate` and `predict` of rows compute at once, so
   * methods of callbacks must not be async there. One callback needs no list.
   */
  callbacks?: readonly TrainingCallback[] | TrainingCallback;
  /** Output to the console. 0 (default): nothing, 1: a progress bar, 2: a line at the end. */
  verbose?: 0 | 1 | 2;
}

/** Parameters of a call of `fit`, `evaluate` or `predict`, for callbacks. */
export interface TrainingParams {
  /** The option `epochs` of `fit`; 1 in other calls. */
  readonly epochs: number;
  /** Batches of an epoch; null while unknown. */
  readonly steps: number | null;
  /** The option `verbose`. */
  readonly verbose: number;
}

/** Options of `fit`. */
export interface FitOptions<Inputs extends LayerInputs = LayerInputs>
  extends Pick<TrainingCallback, 'onEpochBegin' | 'onEpochEnd' | 'onBatchBegin' | 'onBatchEnd'> {
  /** Rows of a batch. Default: 32. Batches of an iterable stay as they are. */
  batchSize?: number;
  /** Number of the epoch before which training ends, counted from 0. Default: 1. */
  epochs?: number;
  /** Number of the first epoch. Default: 0. */
  initialEpoch?: number;
  /**
   * Whether to shuffle the rows in each epoch. 'batch' shuffles only inside each batch. Default:
   * true.
   */
  shuffle?: boolean | 'batch';
  /**
   * Seed of the order: with the same seed, the order is the same in every engine. Default: random.
   */
  seed?: number;
  /** Data for validation after epochs: [x, y], [x, y, sampleWeight], or batches. */
  validationData?: BatchOf<Inputs> | Batches<Inputs>;
  /** Share of the rows, from the end, to validate with and not to train on. Default: 0. */
  validationSplit?: number;
  /** Interval of validations in epochs, or a list of epochs (the first is 1). Default: 1. */
  validationFreq?: number | readonly number[];
  /** Rows of a batch of validation. Default: `batchSize`. */
  validationBatchSize?: number;
  /** Batches of a validation. Default: all. */
  validationSteps?: number;
  /**
   * Weights of samples, in the shape of the loss before it is reduced: [batch], or [batch, time].
   * Lists or dictionaries for several outputs.
   */
  sampleWeight?: PerOutput<TensorLike> | null;
  /**
   * Weights of the classes in y, which count for each step if y has a class for each step. Default
   * of each: 1.
   */
  classWeight?: { readonly [label: number]: number };
  /** Batches of an epoch. The next epoch continues with the following batches. Default: all. */
  stepsPerEpoch?: number;
  /** Objects that are notified during training, in this order. One needs no list. */
  callbacks?: readonly TrainingCallback[] | TrainingCallback;
  /** Output to the console. 0 (default): nothing, 1: a progress bar, 2: a line for each epoch. */
  verbose?: 0 | 1 | 2;
  /** Stops `fit` after the current batch; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /**
   * Reaction to a loss that is NaN. 'ignore' (default): continue, as Keras. 'warn': warn once, with
   * the first layer whose output has a NaN. 'stop': throw a ValueError with that layer before the
   * weights change.
   */
  onNaN?: 'ignore' | 'warn' | 'stop';
}

/** Options of `trainOnBatch` and `testOnBatch`. */
export interface TrainOnBatchOptions {
  /** Weights of samples; see {@link FitOptions.sampleWeight}. */
  sampleWeight?: PerOutput<TensorLike> | null;
  /**
   * Weights of the classes in y, which count for each step if y has a class for each step. Default
   * of each: 1.
   */
  classWeight?: { readonly [label: number]: number };
}

/** Result of `fit`. */
export interface History {
  /**
   * Numbers of each epoch, in Keras's order: `loss`, metrics, the same of validation with the
   * prefix `val_`, and `learning_rate` if a callback sets it.
   */
  readonly history: {
    readonly [name: string]: readonly (number | number[])[];
    readonly loss: readonly number[];
  };
  /** Numbers of the epochs, counted from 0. */
  readonly epoch: readonly number[];
  /** Parameters of the call of `fit`. */
  readonly params: TrainingParams;
}

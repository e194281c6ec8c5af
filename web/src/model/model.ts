// SPDX-License-Identifier: MIT
// The class Model of all entries. Training and files are services, whose code an entry supplies or
// fetches.
import {
  CallArguments,
  type CallOptions,
  flatInputs,
  fromResult,
  isSeveral,
  isSingle,
  kInputCount,
  leaves,
  type LayerInputs,
  type LayerOutputs,
  type OptionsOf,
  type SymbolicInputs,
  type SymbolicOutputs,
} from '../layers/args.js';
import {
  checkFunction,
  checkSignal,
  isPlain,
  optionsOf,
  show,
  checkSynchronous,
  checkOptions,
} from '../base/check.js';
import { addedLosses, endPrediction } from '../layers/added_losses.js';
import { compute } from '../layers/user_code.js';
import { areBatches } from '../base/are_batches.js';
import { native, unwrap } from '../engine/engine.js';
import type { LayerTraits } from '../engine/native.js';
import { ValueError } from '../base/errors.js';
import type {
  BatchEvaluation,
  EvaluateOptions,
  Evaluation,
  PerOutput,
  WithLoss,
} from '../measures/evaluation.js';
import type { ModelSource } from '../base/model_source.js';
import type { Config, Layer, LayerConfig, Shape } from '../layers/layer.js';
import type { LoadWeightsOptions, SaveOptions, SaveTfjsOptions } from './load_options.js';
import type {
  LaterBatches,
  PredictOptions,
  SummaryOptions,
  TraceOptions,
} from './predict_options.js';
import { builtFor, inputCountOf } from './built_for.js';
import { noticeOutputs } from './counts.js';
import { batchOf } from './predict_options.js';
import type { Predictions } from './predictor.js';
import {
  batchEvaluation,
  batchPrediction,
  evaluation,
  modelFiles,
  streaming,
  training,
  workerPrediction,
} from './services.js';
import type { ConfigOptions } from '../layers/custom_scope.js';
import { modelFromConfig } from './from_config.js';
import { type ModelConfig, prepare } from './model_graph.js';
import type { PaddingCheck, PaddingOptions } from './padding/check_padding.js';
import { predictOne } from './predict_one.js';
import type { Profile, ProfileOptions } from './profile.js';
import type { Quantization, QuantizeOptions } from './quantize.js';
import { type Prepared, objectById, objectsInside } from '../layers/layer_objects.js';
import { textGraphs } from '../layers/text_symbols.js';
import { shapesOf, symbolsOf } from '../layers/symbols.js';
import type { Stream, StreamOptions } from './stream.js';
import type { WindowStream, WindowStreamOptions } from './window_stream.js';
import { summaryTable } from './summary.js';
import { Trainable } from './trainable.js';
import type { Batches, BatchOf, CallbackOptions } from './train_options.js';
import { freeTensors, type SymbolicTensor, Tensor, type TensorLike } from '../tensor/tensor.js';
import { keep } from '../tensor/tidy.js';
import { entriesOf, type TraceEntry } from './trace.js';

/**
 * A graph of layers: `new Model({ inputs, outputs })`. It is also the base class of custom models:
 * extend it, create layers in the constructor and write `call(inputs, { mask, training })`.
 *
 * The type parameters are the types of inputs and outputs, if they are known:
 * `Model<{ ids: TensorLike }, { logits: Tensor }>`.
 *
 * The constructor throws ConfigError if inputs and outputs are not a connected graph of symbolic
 * tensors.
 */
export class Model<
  Inputs extends LayerInputs = LayerInputs,
  Outputs extends LayerOutputs = Tensor,
> extends Trainable<Inputs> {
  // biome-ignore lint/correctness/noUnreachableSuper: a model of texts has a class of its own
  constructor(config: ModelConfig | Prepared = {}) {
    const ofText = textGraphs.supplied?.model(config, new.target !== Model);
    // biome-ignore lint/correctness/noConstructorReturn: as above
    if (ofText) return ofText as never;
    super(prepare(config, new.target === Model));
  }

  /**
   * Calls the model on all rows at once; see {@link Layer.apply}. Unlike the result of {@link
   * predict}, this one carries its mask.
   */
  override apply<T extends LayerOutputs = Outputs>(inputs: Inputs, options?: OptionsOf<this>): T;
  override apply<T extends SymbolicOutputs = SymbolicTensor>(
    inputs: SymbolicInputs,
    options?: OptionsOf<this>,
  ): T;
  override apply(inputs: LayerInputs | SymbolicInputs, options: OptionsOf<this> = {}): never {
    const result = super.apply<LayerOutputs>(inputs as LayerInputs, options);
    this.builtFor ??= builtFor(this, inputs as LayerInputs);
    noticeOutputs(this, result);
    return result as never;
  }

  /** @internal */
  protected override traits(config: LayerConfig): LayerTraits {
    return { ...super.traits(config), isModel: true };
  }

  /**
   * Disposes of the model and its layers, which frees their weights. Layers that another living
   * model or layer contains are kept, and so is a model that is part of another one. Layers that
   * other code assigns to a custom layer count from its next call on.
   */
  override dispose(): void {
    if (this.isAlive) {
      for (const id of unwrap(native().layerDisown(this.handle))) objectById<Layer>(id)?.dispose();
      this.compiled?.dispose();
    }
    super.dispose();
  }

  /** @internal */
  override get [kInputCount](): number {
    return inputCountOf(this);
  }

  /** Layers, in the order in which they run; for a custom model, the layers in its properties. */
  get layers(): Layer[] {
    return this.isCustom ? this.ownLayers() : objectsInside<Layer>(this.handle);
  }

  /**
   * Returns a layer by name or index. Throws ValueError if it is missing.
   *
   * @param which.name Name of the layer. Default: the index decides.
   * @param which.index Index in {@link layers}, negative from the end. Default: the name decides.
   */
  getLayer(which: string | number | { name?: string | null; index?: number | null }): Layer {
    const key: unknown = isPlain(which) ? (which.name ?? which.index) : which;
    const layer = this.layers.find(({ name }, i, { length }) =>
      [name, i, i - length].includes(key as never),
    );
    if (layer) return layer;
    throw new ValueError(
      `there is no layer ${show(key)}; the layers are ${this.layers.map(({ name }) => name).join(', ')}`,
    );
  }

  /**
   * Symbolic inputs. Throws StateError for a custom model, and for a Sequential that neither begins
   * with an Input nor was called yet.
   */
  get inputs(): SymbolicTensor[] {
    return symbolsOf(this, 'inputs', 'modelSymbols');
  }
  /** Symbolic outputs. Throws StateError like `inputs`. */
  get outputs(): SymbolicTensor[] {
    return symbolsOf(this, 'outputs', 'modelSymbols');
  }
  /** Shape of the input, null where unknown; a list for several. Throws like `inputs`. */
  get inputShape(): Shape | Shape[] {
    return shapesOf(this.inputs);
  }
  /** Shape of the output, null where unknown; a list for several. Throws like `inputs`. */
  get outputShape(): Shape | Shape[] {
    return shapesOf(this.outputs);
  }

  /**
   * Divides the rows among workers, which later calls use again, and returns a promise. The workers
   * keep the model until its weights change; do not change weights or inputs until the promise is
   * settled. Small calls, stateful models, and programs with threads compute in this thread. For
   * custom layers and functions as settings, use `openPool` of maskflow/worker.
   */
  predict<T extends LayerOutputs = Outputs>(
    inputs: Inputs,
    options: OptionsOf<this> & PredictOptions & { workers: number },
  ): Promise<T>;
  /**
   * Predicts batches as they arrive, and resolves to the outputs of all rows. A batch is predicted
   * before the next one is read, so memory grows only with the outputs. A batch has the inputs of
   * one call. The signal closes the source.
   *
   * Rejects with the error of the source, and with ShapeError if batches have outputs of different
   * sizes beyond the batch; `predictBatches` of maskflow/train returns those one by one.
   *
   * @example const y = await model.predict(rowsOfDatabase());
   */
  predict<T extends LayerOutputs = Outputs>(
    batches: LaterBatches<Inputs>,
    options?: OptionsOf<this> & Pick<PredictOptions, 'signal' | keyof CallbackOptions>,
  ): Promise<T>;
  /**
   * Computes the outputs in inference mode, for any number of rows, some at a time. The result has
   * no mask, as in Keras; call `apply` to get it. A stateful model whose input has a fixed batch
   * size accepts only batches of that size, which is then the default.
   *
   * Throws ShapeError or ValueError for inputs that do not fit the model.
   *
   * @returns A tensor, batch first; a list or a dictionary for a model with several outputs.
   */
  predict<T extends LayerOutputs = Outputs>(
    inputs: Inputs,
    options?: OptionsOf<this> &
      Pick<PredictOptions, 'batchSize' | 'steps' | keyof CallbackOptions> & { workers?: undefined },
  ): T;
  predict<T extends LayerOutputs>(
    inputs: LayerInputs | LaterBatches<Inputs>,
    options: CallOptions &
      CallbackOptions & { batchSize?: number; steps?: number; workers?: number | undefined } = {},
  ): T | Promise<T> {
    const all = optionsOf(options, undefined, 'batchSize: …');
    const { batchSize, workers, steps, callbacks, verbose, ...rest } = all;
    const isOwn = this.predictStep !== Trainable.prototype.predictStep;
    const isLater = !(inputs instanceof Tensor) && areBatches(inputs);
    if (isOwn || callbacks || verbose || (steps && !isLater)) {
      return training.get().predict(this, inputs, all) as T | Promise<T>;
    }
    if (isLater) return batchPrediction.get()(this as never, inputs, all) as Promise<T>;
    const rows = inputs as LayerInputs;
    if (workers !== undefined) {
      const predictInWorkers = async () =>
        workerPrediction.get()(this, rows, { ...options, workers } as never);
      return predictInWorkers() as Promise<T>;
    }
    const size = batchOf(batchSize, rest);
    addedLosses.supplied?.begin(this);
    if (isSingle(rows) && !isSeveral(rows, this) && Object.keys(rest).length === 0) {
      return endPrediction(this, predictOne(this, rows, size), size) as T;
    }
    const args = new CallArguments(this, rows, rest);
    try {
      const result = compute(() => unwrap(native().modelPredict(this.handle, args.native, size)));
      this.builtFor ??= builtFor(this, rows);
      return endPrediction(this, fromResult(result), size) as T;
    } finally {
      args.dispose();
    }
  }

  /**
   * Same as `predict`, but always returns a promise, like models of workers and pools in
   * `maskflow/worker`; see {@link Predictor}. Without `workers` it computes before it returns, and
   * `signal` has an effect only if it is already aborted. `tidy` does not dispose of its result.
   */
  async predictAsync<T extends Predictions = Outputs>(
    inputs: Inputs,
    options: OptionsOf<this> & PredictOptions = {},
  ): Promise<T> {
    const { signal, ...rest } = optionsOf(options);
    checkSignal(signal);
    const result: unknown = this.predict(inputs, (rest.workers ? options : rest) as never);
    for (const [, tensor] of leaves(result)) keep(tensor as Tensor);
    return result as T;
  }

  #address: number | undefined;
  /** @internal */
  get address(): number {
    // Read the handle first: it throws if the model was disposed of.
    const { handle } = this;
    this.#address ??= unwrap(native().layerAddress(handle));
    return this.#address;
  }

  /**
   * Computes losses and metrics of the model's outputs for `x` against the targets `y`, in
   * inference mode, batch by batch. As in Keras, the loss is the mean of the batches' losses
   * weighted by their rows, and the mask of an output counts in its loss and metrics. For several
   * outputs, `y` and the options are lists or dictionaries, by key or output layer. If the options
   * have neither losses nor metrics, those of `compile` are computed.
   *
   * Throws StateError if there is neither a loss nor a metric, ValueError or ShapeError for data
   * that does not fit, and UnsupportedError in `maskflow/recurrent`.
   *
   * @example model.evaluate(x, y, { loss: 'mse', metrics: ['mae'] }) // { loss: 0.3, mae: 0.4 }
   */
  evaluate(
    x: Inputs,
    y: PerOutput<TensorLike> | null | undefined,
    options: WithLoss & CallbackOptions,
  ): Evaluation & { loss: number };
  evaluate(
    x: Inputs,
    y?: PerOutput<TensorLike> | null,
    options?: EvaluateOptions & CallbackOptions,
  ): Evaluation;
  /**
   * Evaluates batches `[x, y, sampleWeight?]` as they arrive. Lets other tasks run between batches.
   * Without a batch, the loss is NaN. A list of batches is data of one model input: pass a function
   * that returns it.
   *
   * @example await model.evaluate(rowsOfDatabase(), { loss: 'mse' })
   */
  evaluate(
    batches: LaterBatches<BatchOf<Inputs>>,
    options?: BatchEvaluation & CallbackOptions,
  ): Promise<Evaluation>;
  evaluate(
    x: Inputs | LaterBatches<BatchOf<Inputs>>,
    y?: PerOutput<TensorLike> | BatchEvaluation | null,
    options: EvaluateOptions = {},
  ): Evaluation | Promise<Evaluation> {
    if (areBatches(x)) {
      return batchEvaluation.get()(this, x as Batches, y as BatchEvaluation);
    }
    return evaluation.get()(
      this,
      flatInputs(x as LayerInputs),
      y as PerOutput<TensorLike>,
      options,
    );
  }

  /** Same as {@link predict} with all rows in one batch. */
  predictOnBatch<T extends LayerOutputs = Outputs>(x: Inputs): T {
    return this.predict(x, { batchSize: 0 } as never) as unknown as T;
  }

  /**
   * Runs the model and reports, for each layer and op, what happens to the mask and why. Set
   * `maskOperations` to also list the ops that only compute a mask, which Keras writes into the
   * graph of a functional model.
   */
  traceMasks(inputs: Inputs, options: OptionsOf<this> & TraceOptions = {}): TraceEntry[] {
    const { maskOperations = false, ...rest } = optionsOf(options);
    const args = new CallArguments(this, inputs, rest);
    try {
      const { result, events } = unwrap(native().modelTrace(this.handle, args.native, false));
      freeTensors(result.outputs);
      return entriesOf(events, maskOperations);
    } finally {
      args.dispose();
    }
  }

  /**
   * Says whether padding changes the answer for these inputs: runs each row without its padding and
   * with more of it, and compares. Padding is the id 0, the `maskValue` of a Masking layer, or
   * masked steps of a tensor that carries a mask. If the answer changes, `layer` names the first
   * layer or operation whose result does, and `remedy` says what to write.
   *
   * Throws ValueError without an input that has a time axis, and UnsupportedError for a model that
   * needs its number of steps.
   *
   * @example const { same, layer, remedy } = await model.checkPadding(ids);
   */
  async checkPadding(x: Inputs, options: PaddingOptions = {}): Promise<PaddingCheck> {
    const { checkPadding } = await import('./padding/check_padding.js');
    return checkPadding(this, x, options);
  }

  /**
   * Returns a {@link Stream}, which runs the model one timestep at a time and keeps its state. All
   * layers must be causal: forward recurrent layers, causal Conv1D, attention called with
   * `useCausalMask`, layers that treat each step separately, and global pooling. Position ids (for
   * an Embedding of positions) are a second input.
   *
   * Throws UnsupportedError, with the layer and a remedy, for a model with other layers, with
   * custom code, or without a time axis, and in `maskflow/recurrent`. Throws StateError before the
   * model's inputs are known.
   *
   * @example const s = model.stream(); s.step(x) // x: [1, features], or a Float32Array of them
   */
  stream(options?: StreamOptions & { window?: undefined }): Stream<this>;
  /**
   * With `window`, returns a {@link WindowStream}, for any model: it predicts the last `window`
   * steps after each `hop` steps.
   */
  stream(options: WindowStreamOptions): WindowStream<this>;
  stream(options: StreamOptions | WindowStreamOptions = {}): Stream<this> | WindowStream<this> {
    return streaming.get()(this, options);
  }

  /**
   * Runs the model on `x` and measures each layer: its time, the floating-point operations of its
   * matrix products, and the share of steps that its mask keeps. `String(profile)` is a table.
   * Throws UnsupportedError in `maskflow/recurrent`.
   */
  async profile(x: Inputs, options: ProfileOptions = {}): Promise<Profile> {
    const { profile } = await import('./profile.js');
    return profile(this, x, options);
  }

  /** Prints a table of the layers, their shapes, parameters and masks, and returns it. */
  summary(options: SummaryOptions = {}): string {
    const text = summaryTable(this);
    const { print = console.log } = checkOptions(options, { print: 1 });
    if (print !== null) checkFunction(print, 'print');
    checkSynchronous(print?.(text) as unknown, 'print');
    return text;
  }

  /**
   * Sets all weights from a file: `.weights.h5`, the `.h5` of Keras 1 and 2, or a whole model,
   * whose architecture is ignored. Weights are matched by structure and shape. In `maskflow/train`,
   * the optimizer of a compiled model gets its state if the file has one, as in Keras. An optimizer
   * that the state does not fit keeps its own, with a warning.
   *
   * Throws FormatError with both lists if they do not match, and then changes no weight. Throws
   * StateError before the model is built.
   */
  async loadWeights(source: ModelSource, options: LoadWeightsOptions = {}): Promise<void> {
    await modelFiles.get().loadWeights(this, source, options);
  }

  /**
   * Stores the largest weights in 8 bits, with the scales of Keras's int8 mode: a quarter of the
   * bytes. Kernels of dense, recurrent, einsum and attention layers, and of convolutions that mix
   * channels, have a scale per column. Embedding tables have a scale per id, and lookups convert
   * the rows that they read to floats. Biases, normalisation, depthwise kernels and weights of
   * custom layers stay floats. The report has both kinds and, with `samples`, how outputs change.
   *
   * With `activations: 'int8'`, inputs of a layer are rounded to 7 bits and products are integer
   * products, which Node 24 and current Chromium compute several times as fast.
   *
   * `getWeights` and saved files contain the floats that the 8 bits represent; weights that are set
   * later are floats again. Throws ValueError if a weight is not finite, and then changes nothing.
   * Throws UnsupportedError in `maskflow/recurrent`.
   *
   * @example const { bytes, outputs } = await model.quantize('int8', { samples: x });
   */
  async quantize(mode: 'int8' = 'int8', options: QuantizeOptions = {}): Promise<Quantization> {
    const { quantizeModel } = await import('./quantize.js');
    return quantizeModel(this, mode, options);
  }

  /**
   * Saves the model as a `.keras` file, which Keras 3 opens: in Node at the path `name`, on a page
   * as a download. A browser keeps it under `opfs://name` or `indexeddb://name`. Without a name,
   * nothing is written. Returns the bytes. In `maskflow/train`, the file of a compiled model
   * contains its compile configuration and the state of its optimizer.
   *
   * Throws StateError if the model is not built or there is no room, ConfigError for a custom layer
   * class that is not registered, and ValueError for a path that does not end in `.keras`.
   *
   * @param name Path or file name that ends in `.keras`. Default: writes nothing.
   */
  async save(name?: string, options: SaveOptions = {}): Promise<Uint8Array> {
    return modelFiles.get().save(this, name, options);
  }

  /**
   * Saves the model for TensorFlow.js: `model.json`, with shards of 4 MB beside it. Without a name,
   * nothing is written. Returns all files by name. TensorFlow.js treats masks differently.
   * Throws UnsupportedError that lists all parts of the model that TensorFlow.js lacks, and
   * ValueError for a weight that `weights: 'float16'` or `'uint8'` cannot hold.
   * @param name Path in Node; on a page, the name of the download.
   */
  async saveTfjs(name?: string, options: SaveTfjsOptions = {}): Promise<Map<string, Uint8Array>> {
    return modelFiles.get().saveTfjs(this, name, options);
  }

  /**
   * Saves the weights and, as Keras, the optimizer of a compiled model; else like {@link save}.
   *
   * @param name Path or file name that ends in `.weights.h5`. Default: writes nothing.
   */
  async saveWeights(name?: string): Promise<Uint8Array> {
    return modelFiles.get().saveWeights(this, name);
  }

  /** Class, config and registered name, for JSON.stringify. */
  override toJSON(): unknown {
    return unwrap(native().layerSerialize(this.handle));
  }

  /**
   * Creates a model from the result of `getConfig()` (Functional or Sequential), `toJSON()`, or
   * Keras 3's `to_json()` and `get_config()`.
   *
   * Throws ConfigError for the dialects of Keras 1, Keras 2 and TF.js; for these, call
   * `await loadModel(json, { weights: null })`.
   */
  static override fromConfig<T extends Layer>(
    this: new (
      config: never,
    ) => T,
    config: Config | string,
    options?: ConfigOptions,
  ): T {
    return modelFromConfig(this, config, this === (Model as unknown), options);
  }
}

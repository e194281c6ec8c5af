// SPDX-License-Identifier: MIT
import {
  CallArguments,
  type CallOptions,
  flatInputs,
  fromResult,
  isSingle,
  leaves,
  type LayerInputs,
  type LayerOutputs,
  type NestedSymbols,
  type OptionsOf,
  type SymbolicInputs,
  type SymbolicOutputs,
} from '../layers/args.js';
import {
  checkFunction,
  checkSignal,
  describe,
  isPlain,
  optionsOf,
  show,
  checkSynchronous,
  checkInteger,
  checkOptions,
} from '../base/check.js';
import { native, unwrap, unwrapHandle } from '../engine/engine.js';
import { ConfigError, FormatError, ValueError } from '../base/errors.js';
import type { EvaluateOptions, Evaluation, PerOutput } from '../measures/evaluation.js';
import { placeFromExchange } from '../engine/exchange.js';
import type { ModelSource } from '../base/model_source.js';
import type { BuiltFor, Config, Layer, LayerConfig, Shape } from '../layers/layer.js';
import type { LoadWeightsOptions, SaveOptions } from './load_options.js';
import type { Predictions } from './predictor.js';
import { evaluation, modelFiles, streaming, workerPrediction } from './services.js';
import { refuseLegacyConfig } from '../base/legacy_config.js';
import { checkDepth, settingsOf } from '../engine/config_value.js';
import type { Profile, ProfileOptions } from './profile.js';
import type { Quantization, QuantizeOptions } from './quantize.js';
import { Prepared, objectById, objectsInside } from '../layers/layer_objects.js';
import { makeLayer } from '../layers/serialization.js';
import type { Stream, StreamOptions } from './stream.js';
import { summaryTable } from './summary.js';
import { Trainable } from './trainable.js';
import {
  asTensor,
  freeTensors,
  type SymbolicTensor,
  Tensor,
  type TensorLike,
  wrapTensor,
} from '../tensor/tensor.js';
import { keep } from '../tensor/tidy.js';
import { entryOf, type TraceEntry } from './trace.js';

export type Symbols = NestedSymbols;

export interface ModelConfig extends LayerConfig {
  /** Symbolic tensors from `Input`. */
  inputs?: Symbols;
  /** What layers made of them. */
  outputs?: Symbols;
}

// The core counts rows with 32 bits here; more do not fit its memory.
const kMostRows = 0x7fffffff;

// The core chooses the batch size.
const kUsualBatch = -1;

function structureOf(symbols: Symbols): {
  tensors: Tensor['handle'][];
  list: boolean;
  keys: string[];
} {
  if (symbols instanceof Tensor) return { tensors: [symbols.handle], list: false, keys: [] };
  const entries = leaves(symbols);
  const strange = entries.find(([, symbol]) => !(symbol instanceof Tensor));
  if (strange || entries.length === 0) {
    throw new ConfigError(
      `inputs and outputs of a model are symbolic tensors, from Input({ shape }) on, not ${describe(strange ? strange[1] : symbols)}`,
    );
  }
  const tensors = entries.map(([, symbol]) => (symbol as Tensor).handle);
  const keys = entries.map(([key]) => key);
  if (!Array.isArray(symbols)) {
    const given = Object.keys(symbols);
    return { tensors, list: String(given) === String([...given].sort()), keys };
  }
  return { tensors, list: true, keys: keys.some((key) => key.includes(' / ')) ? keys : [] };
}

/** Shapes of inputs, whatever the number of rows; null where code of a layer has disposed of one. */
function builtFor(inputs: LayerInputs): BuiltFor | null {
  // Of a graph alone, which knows its shapes.
  if (flatInputs(inputs) !== inputs) return [];
  const all: readonly unknown[] = isSingle(inputs) ? [inputs] : Object.values(inputs);
  if (all.some((input) => input instanceof Tensor && input.isDisposed)) return null;
  const shapeOf = (input: TensorLike): Shape => {
    const made = asTensor(input);
    const [, ...rest] = made.shape;
    if (made !== input) made.dispose();
    return [null, ...rest];
  };
  if (isSingle(inputs)) return shapeOf(inputs);
  const shapes = (Object.values(inputs) as TensorLike[]).map(shapeOf);
  if (Array.isArray(inputs)) return shapes;
  return Object.fromEntries(Object.keys(inputs).map((key, i) => [key, shapes[i] as Shape]));
}

function parsed(config: unknown): Config {
  let given = config;
  try {
    if (typeof config === 'string') given = JSON.parse(config);
  } catch (error) {
    throw new FormatError(`the configuration is no JSON: ${(error as Error).message}`);
  }
  if (isPlain(given) || Array.isArray(given)) return given as Config;
  throw new ConfigError(`a model's configuration is an object or its JSON, not ${describe(given)}`);
}

function prepare(config: ModelConfig | Prepared): LayerConfig | Prepared {
  if (config instanceof Prepared) return config;
  optionsOf(config, 'the settings of a model');
  if (!config.inputs && !config.outputs) return config;
  if (!config.inputs || !config.outputs)
    throw new ConfigError('a Model needs both inputs and outputs');
  const { name, trainable } = config;
  const settings = settingsOf({ name, trainable });
  return new Prepared(
    unwrap(
      native().functionalCreate(structureOf(config.inputs), structureOf(config.outputs), settings),
    ),
  );
}

/**
 * A graph of layers (`new Model({ inputs, outputs })`), or the base of a model of your own: extend it, make
 * layers in the constructor and write `call(inputs, { mask, training })`.
 *
 * `Model<Inputs, Outputs>` says what a model is given and makes, where that is known:
 * `Model<{ ids: TensorLike }, { logits: Tensor }>`.
 */
export class Model<
  Inputs extends LayerInputs = LayerInputs,
  Outputs extends LayerOutputs = Tensor,
> extends Trainable<Inputs> {
  constructor(config: ModelConfig | Prepared = {}) {
    super(prepare(config));
  }

  override apply<T extends LayerOutputs = Outputs>(inputs: Inputs, options?: OptionsOf<this>): T;
  override apply<T extends SymbolicOutputs = SymbolicTensor>(
    inputs: SymbolicInputs,
    options?: OptionsOf<this>,
  ): T;
  override apply(inputs: LayerInputs | SymbolicInputs, options: OptionsOf<this> = {}): never {
    const result = super.apply<LayerOutputs>(inputs as LayerInputs, options);
    this.builtFor ??= builtFor(inputs as LayerInputs);
    return result as never;
  }

  /** @internal */
  protected override traits(config: LayerConfig): {
    takesMask: boolean;
    overridesComputeMask: boolean;
    isModel: boolean;
  } {
    return { ...super.traits(config), isModel: true };
  }

  /**
   * Gives the weights of its layers back, too: their objects are disposed of with it, unless another model or layer that is
   * alive has them inside. A model that is inside another one lives on in it.
   */
  override dispose(): void {
    if (this.isAlive) {
      for (const id of unwrap(native().layerDisown(this.handle))) objectById<Layer>(id)?.dispose();
      this.compiled?.dispose();
    }
    super.dispose();
  }

  /** The layers, in the order in which they run; for a model of your own, its properties. */
  get layers(): Layer[] {
    return this.isCustom ? this.ownLayers() : objectsInside<Layer>(this.handle);
  }

  /** By name, or by place. ValueError when there is none. */
  getLayer(which: string | number): Layer {
    const layers = this.layers;
    const found =
      typeof which === 'number' ? layers.at(which) : layers.find((layer) => layer.name === which);
    if (found) return found;
    throw new ValueError(
      `there is no layer ${show(which)}; there are ${layers.map((layer) => layer.name).join(', ')}`,
    );
  }

  /** Symbolic inputs. StateError for a model of your own. */
  get inputs(): SymbolicTensor[] {
    return symbolsOf(this, 'inputs');
  }
  get outputs(): SymbolicTensor[] {
    return symbolsOf(this, 'outputs');
  }

  /**
   * Computes the outputs for any number of rows, `batchSize` (default 32; 0: all) at a time, in inference
   * mode. The result has no mask, as in Keras; call `apply` to get it. A stateful model whose input
   * has a fixed batch size accepts only batches of that size, which is then the default.
   *
   * In Node, `workers` shares the rows among that many threads (kept for later calls) and gives a promise, which `signal`
   * cancels. Each call brings them the weights; leave these and the inputs alone until it is done. Pages use `openPool` of maskflow/worker, and so do layers of your own.
   */
  predict<T extends LayerOutputs = Outputs>(
    inputs: Inputs,
    options: OptionsOf<this> & { batchSize?: number; workers: number; signal?: AbortSignal },
  ): Promise<T>;
  predict<T extends LayerOutputs = Outputs>(
    inputs: Inputs,
    options?: OptionsOf<this> & { batchSize?: number; workers?: undefined },
  ): T;
  predict<T extends LayerOutputs>(
    inputs: LayerInputs,
    options: CallOptions & { batchSize?: number; workers?: number | undefined } = {},
  ): T | Promise<T> {
    const { batchSize, workers, ...rest } = optionsOf(options);
    if (workers !== undefined) {
      const share = async () =>
        workerPrediction.get()(this, inputs, { ...options, workers } as never);
      return share() as Promise<T>;
    }
    if (batchSize !== undefined) checkInteger('batchSize', batchSize, 0, ' (all rows at once)');
    const size = batchSize ?? kUsualBatch;
    if (isSingle(inputs) && Object.keys(rest).length === 0) {
      return predictOne(this, inputs, size) as T;
    }
    const args = new CallArguments(inputs, rest, this.argumentNames);
    try {
      const result = unwrap(native().modelPredict(this.handle, args.native, size));
      this.builtFor ??= builtFor(inputs);
      return fromResult(result) as T;
    } finally {
      args.dispose();
    }
  }

  /**
   * As `predict`, always as a promise: a program that waits for it runs on models here and, from `maskflow/worker`, on those
   * of workers and pools; see {@link Predictor}. Here it computes before it returns, and no `tidy` takes the result.
   */
  async predictAsync<T extends Predictions = Outputs>(
    inputs: Inputs,
    options: OptionsOf<this> & {
      batchSize?: number;
      workers?: number;
      signal?: AbortSignal;
    } = {},
  ): Promise<T> {
    const { signal, ...rest } = optionsOf(options);
    checkSignal(signal);
    const made: unknown = this.predict(inputs, (rest.workers ? options : rest) as never);
    for (const [, tensor] of leaves(made)) keep(tensor as Tensor);
    return made as T;
  }

  #address: number | undefined;
  /** @internal */
  get address(): number {
    // (The handle first: it knows whether the model was disposed of.)
    const { handle } = this;
    this.#address ??= unwrap(native().layerAddress(handle));
    return this.#address;
  }

  /**
   * Compares what the model makes of `x` with the targets `y`, in inference mode, batch by batch. As in Keras the loss
   * is the mean of the batches' losses by their rows, and the mask that the model puts on its output counts in loss
   * and metrics. Several outputs: `y` and what is chosen for them are lists or dictionaries (by key or output layer).
   *
   * @example model.evaluate(x, y, { loss: 'mse', metrics: ['mae'] }) // { loss: 0.3, mae: 0.4 }
   */
  evaluate(x: Inputs, y: PerOutput<TensorLike>, options: EvaluateOptions = {}): Evaluation {
    return evaluation.get()(this, flatInputs(x), y, options);
  }

  /** All rows at once; otherwise like {@link predict}. */
  predictOnBatch<T extends LayerOutputs = Outputs>(x: Inputs): T {
    return this.predict(x, { batchSize: 0 } as never) as unknown as T;
  }

  /**
   * Runs the model and tells, for each layer and op, what happened to the mask there and why. `maskOperations`: also list
   * the operations that do nothing but compute a mask, which Keras writes into the graph of a functional model.
   */
  traceMasks(
    inputs: Inputs,
    options: OptionsOf<this> & { maskOperations?: boolean } = {},
  ): TraceEntry[] {
    const { maskOperations = false, ...rest } = optionsOf(options);
    const args = new CallArguments(inputs, rest, this.argumentNames);
    try {
      const { result, events } = unwrap(native().modelTrace(this.handle, args.native));
      freeTensors(result.outputs);
      // The model itself comes first; what it calls is what one wants to see. Operations that no mask came to
      // say nothing.
      return events
        .map(entryOf)
        .filter(
          ({ depth, isLayer, role }) =>
            depth >= 0 && (isLayer || (role !== 'none' && (maskOperations || role !== 'computes'))),
        );
    } finally {
      args.dispose();
    }
  }

  /**
   * Runs the model step by step from now on: a {@link Stream} keeps what the layers have to remember. All layers must be
   * causal: recurrent ones that go forward, causal Conv1D, attention called with `useCausalMask`, what treats each step by
   * itself, global pooling. Positions that are added (an Embedding of them) are a second input.
   * UnsupportedError, with the layer and what to do, for a model with others, of your own code, or without time;
   * StateError before its inputs are known.
   *
   * Attention keeps the keys and values of all kept steps, at most 65,536 a row (of `slidingWindow` many where that is
   * set): a step costs as much as there are. In Keras a masked query of MultiHeadAttention or GroupQueryAttention without
   * dropout and scores, and any query that sees no key of Attention, gets the mean of the values of all steps, later ones
   * too; here, of those given so far. No kept step shows that as long as the mask reaches the attention layers.
   *
   * A number that is not finite (NaN, an infinity) in what attention attends to makes its results NaN from that step on,
   * masked or not, as in `predict`, which multiplies it by a weight of 0 and so shows it in the steps before, too. Where no
   * attention is, a masked step does not show.
   *
   * @example const s = model.stream(); s.step(x) // x: [1, features], or a Float32Array of them
   */
  stream(options: StreamOptions = {}): Stream<this> {
    return streaming.get()(this, options);
  }

  /**
   * Runs the model on `x` and tells what each layer costs: time, floating-point operations of its matrix products, and
   * which share of the steps its mask keeps. `String(profile)` is a table. UnsupportedError in `maskflow/recurrent`.
   */
  async profile(x: Inputs, options: ProfileOptions = {}): Promise<Profile> {
    const { profile } = await import('./profile.js');
    return profile(this, x, options);
  }

  /** The layers as a table with a column for masks; printed with `print`, null for not at all. */
  summary(options: { print?: ((text: string) => void) | null } = {}): string {
    const text = summaryTable(this.name, unwrap(native().modelSummary(this.handle)));
    const { print = console.log } = checkOptions(options, { print: 1 });
    if (print !== null) checkFunction(print, 'print');
    checkSynchronous(print?.(text) as unknown, 'print');
    return text;
  }

  /**
   * Sets all weights from a file: `.weights.h5`, the `.h5` of Keras 1 and 2, or a whole model's, whose architecture is
   * ignored. They are matched by structure and shape. FormatError with both lists when they do not fit: then no
   * weight is changed. StateError before the model is built.
   */
  async loadWeights(source: ModelSource, options: LoadWeightsOptions = {}): Promise<void> {
    await modelFiles.get().loadWeights(this, source, options);
  }

  /**
   * Keeps what weighs most in 8 bits, with the scales of Keras's int8 mode: a quarter of the bytes. Kernels of dense, recurrent,
   * einsum and attention layers and of convolutions that mix channels have a scale per column; tables of embeddings have one per
   * id, and lookups make floats of the rows that are asked for. The report lists these, and what stays floats: biases, normalisation,
   * depthwise kernels, weights of custom layers. With `activations: 'int8'` products are those of whole numbers, which Node 24 and current Chromium
   * compute several times as fast, with inputs of a layer rounded to 7 bits. With `samples` the report says how far the outputs move.
   * `getWeights` and saved files give the floats that the bits stand for; weights that are set later are floats again. ValueError
   * where a number is not finite: then all stays as it was. UnsupportedError in `maskflow/recurrent`.
   *
   * @example const { bytes, outputs } = await model.quantize('int8', { samples: x });
   */
  async quantize(mode: 'int8' = 'int8', options: QuantizeOptions = {}): Promise<Quantization> {
    const { quantizeModel } = await import('./quantize.js');
    return quantizeModel(this, mode, options);
  }

  /**
   * Saves the model as a `.keras` file, which Keras 3 opens: in Node at that path, on a page as a download. Without a name
   * nothing is written. The promise gives the bytes. StateError when the model is not built, ConfigError for
   * a layer class of yours that is not registered, ValueError for a name that does not end in `.keras`. In `maskflow/train` a
   * compiled model takes its compile configuration and the state of its optimizer along.
   */
  async save(name?: string, options: SaveOptions = {}): Promise<Uint8Array> {
    return modelFiles.get().save(this, name, options);
  }

  /**
   * Saves the model for TensorFlow.js, as `model.json` with shards of 4 MB beside it; without a name nothing is
   * written. The promise gives all files by name. UnsupportedError with everything in the model that TensorFlow.js
   * lacks. Mind that it treats masks in its own ways.
   */
  async saveTfjs(name?: string): Promise<Map<string, Uint8Array>> {
    return modelFiles.get().saveTfjs(this, name);
  }

  /** Saves the weights alone, as `.weights.h5`; otherwise like {@link save}. */
  async saveWeights(name?: string): Promise<Uint8Array> {
    return modelFiles.get().saveWeights(this, name);
  }

  /** For JSON.stringify: class, configuration, registered name. */
  toJSON(): unknown {
    return unwrap(native().layerSerialize(this.handle));
  }

  /**
   * From `getConfig()` (Functional or Sequential), from what `toJSON` gives, or from what Keras 3's `to_json()` and `get_config()` give.
   * ConfigError for the dialects of Keras 1, Keras 2 and TF.js: `await loadModel(json, { weights: null })` reads these.
   */
  static override fromConfig<T extends Layer>(
    this: new (
      config: never,
    ) => T,
    config: Config | string,
  ): T {
    const given = parsed(config);
    const whole = 'class_name' in given && 'config' in given;
    // A class of the user's may have a setting of that name.
    const listsLayers =
      Array.isArray(given['layers']) && given['layers'].every((layer) => layer?.class_name);
    if (this !== (Model as unknown) && !whole && !listsLayers) return new this(given as never);
    refuseLegacyConfig(checkDepth(given, 'the configuration'));
    const className = 'input_layers' in given ? 'Functional' : 'Sequential';
    return makeLayer(whole ? given : { class_name: className, config: given }) as T;
  }
}

// The usual call, with as little around the core's work as can be.
function predictOne(model: Model, input: TensorLike, batchSize: number): LayerOutputs {
  const given = asTensor(input);
  try {
    const made = unwrapHandle(
      native()._predict_one_at(model.address, given.handle, Math.min(batchSize, kMostRows)),
    );
    model.builtFor ??= builtFor(given);
    if (made === 1) return fromResult(native().modelPredicted());
    return wrapTensor(made, placeFromExchange());
  } finally {
    if (given !== input) given.dispose();
  }
}

function symbolsOf(model: Model, side: 'inputs' | 'outputs'): Tensor[] {
  const symbols = unwrap(native().modelSymbols(model.handle));
  const other = side === 'inputs' ? symbols.outputs : symbols.inputs;
  freeTensors(other);
  return symbols[side].map((handle) => {
    const symbol = wrapTensor(handle);
    symbol.keeps = [model];
    return symbol;
  });
}

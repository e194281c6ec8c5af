// SPDX-License-Identifier: MIT
// The class of models that accept strings. Text layers cannot be part of a graph of tensors, so
// they run before it, in each method of Model. split_model.ts creates those of files,
// text_graphs.ts the others.
import { areBatches } from '../base/are_batches.js';
import { UnsupportedError } from '../base/errors.js';
import type {
  CallOptions,
  LayerInputs,
  LayerOutputs,
  SymbolicInputs,
  SymbolicOutputs,
} from '../layers/args.js';
import type {
  BatchEvaluation,
  EvaluateOptions,
  Evaluation,
  PerOutput,
  WithLoss,
} from '../measures/evaluation.js';
import { Model } from '../model/model.js';
import { savedAsGraphs } from '../model/revive.js';
import type { LaterBatches, PredictOptions } from '../model/predict_options.js';
import type { Predictions } from '../model/predictor.js';
import type { Profile, ProfileOptions } from '../model/profile.js';
import type { StoredGroup } from '../model/services.js';
import type { PaddingCheck, PaddingOptions } from '../model/padding/check_padding.js';
import type { TraceEntry } from '../model/trace.js';
import type {
  Batches,
  BatchOf,
  FitOptions,
  History,
  Logs,
  TrainOnBatchOptions,
} from '../model/train_options.js';
import type { SymbolicTensor, Tensor } from '../tensor/tensor.js';
import type { Layer } from '../layers/layer.js';
import type { Prepared } from '../layers/layer_objects.js';
import { textGraphs } from '../layers/text_symbols.js';
import type { TensorLike } from '../tensor/tensor.js';
import type { NativeSummaryRow } from '../engine/native.js';
import type { SerializedObject } from '../formats/artifact.js';
import { SymbolicText } from './symbolic_text.js';
import type { TextLayer } from './text_layer.js';
import { withTextLayers, withTextRows } from './text_parts.js';
import { dispose, type Front, leavesOf, type TextInputs, TextReader } from './text_reader.js';

// A Sequential that exists becomes such a model when `add` receives a layer that reads texts, so
// that its own class cannot have the fields.
const readers = new WeakMap<object, TextReader>();
const readerOf = (model: object): TextReader => readers.get(model) as TextReader;

/**
 * Makes a model read texts. `layers` are those of a Sequential. Reading the symbols builds the
 * model, so that its weights exist.
 */
export function readTexts(model: Model, front: Front, layers: readonly unknown[] = []): void {
  readers.set(model, new TextReader(model, front, layers));
  for (const symbol of [...model.inputs, ...model.outputs]) symbol.dispose();
}

/** A model that reads text. Its text layers convert strings before the graph runs. */
export class TextModel extends Model {
  /** Class name in configs: model files cannot name TextModel. */
  static override readonly name: string = 'Model';
  static {
    savedAsGraphs.add(TextModel);
  }

  /** Called by `loadModel`, `new Sequential` and `new Model`. @internal */
  constructor(prepared: Prepared, front: Front) {
    super(prepared);
    readTexts(this, front);
  }

  /** The part that reads texts. @internal */
  get front(): Front {
    return readerOf(this).front;
  }

  /** Appends a layer to a Sequential, as in Keras. Throws ConfigError for a graph. */
  add(layer: Layer | TextLayer): void {
    textGraphs.get().append(this, layer);
  }
  /** Removes the last layer of a Sequential. Throws ConfigError for a graph. */
  pop(): void {
    textGraphs.get().removeLast(this);
  }

  /** The layers that read text, which are not in `layers`. */
  get textLayers(): readonly TextLayer[] {
    return this.front.layers;
  }

  /** @internal Names of the inputs, and which of them are text. */
  get textInputs(): readonly { name: string; isText: boolean }[] {
    const { inputs, keys } = this.front;
    return inputs.map(({ name, chains }, i) => ({
      name: keys[i] ?? name,
      isText: chains !== null,
    }));
  }

  /** Converts the texts and calls the model; see `apply` of Model. */
  override apply<T extends LayerOutputs = Tensor>(inputs: TextInputs, options?: CallOptions): T;
  override apply<T extends SymbolicOutputs = SymbolicTensor>(
    inputs: SymbolicInputs,
    options?: CallOptions,
  ): T;
  override apply(inputs: TextInputs | SymbolicInputs, options: CallOptions = {}): never {
    if (leavesOf(inputs).some((value) => value instanceof SymbolicText)) {
      return super.apply<SymbolicOutputs>(readerOf(this).symbols(inputs), options) as never;
    }
    const run = (values: LayerInputs) => super.apply<LayerOutputs>(values, options);
    return readerOf(this).use(inputs as TextInputs, run) as never;
  }

  /** Converts the texts and computes the outputs; see {@link Model.predict}. */
  override predict<T extends LayerOutputs = Tensor>(
    inputs: TextInputs,
    options: CallOptions & PredictOptions & { workers: number },
  ): Promise<T>;
  /** Predicts batches of texts as they arrive; see {@link Model.predict}. */
  override predict<T extends LayerOutputs = Tensor>(
    batches: LaterBatches<TextInputs>,
    options?: CallOptions & Pick<PredictOptions, 'signal'>,
  ): Promise<T>;
  /** Converts the texts and computes the outputs; see {@link Model.predict}. */
  override predict<T extends LayerOutputs = Tensor>(
    inputs: TextInputs,
    options?: CallOptions & Pick<PredictOptions, 'batchSize'> & { workers?: undefined },
  ): T;
  override predict(
    inputs: TextInputs | LaterBatches<TextInputs>,
    options: CallOptions & { workers?: number | undefined } = {},
  ): never {
    if (areBatches(inputs)) return super.predict(inputs as never, options as never) as never;
    const run = (values: LayerInputs) => super.predict(values, options as CallOptions);
    return readerOf(this).use(inputs as TextInputs, run) as never;
  }

  /** Same as `predict`, but returns a promise; see {@link Model.predictAsync}. */
  override predictAsync<T extends Predictions = Tensor>(
    inputs: TextInputs,
    options: CallOptions & PredictOptions = {},
  ): Promise<T> {
    return super.predictAsync<T>(inputs as LayerInputs, options);
  }

  /** Converts the texts and computes losses and metrics; see {@link Model.evaluate}. */
  override evaluate(
    x: TextInputs,
    y: PerOutput<TensorLike>,
    options: WithLoss,
  ): Evaluation & { loss: number };
  override evaluate(x: TextInputs, y: PerOutput<TensorLike>, options?: EvaluateOptions): Evaluation;
  /** Evaluates batches with texts as they arrive; see {@link Model.evaluate}. */
  override evaluate(
    batches: LaterBatches<BatchOf<TextInputs>>,
    options?: BatchEvaluation,
  ): Promise<Evaluation>;
  override evaluate(
    x: TextInputs | LaterBatches<BatchOf<TextInputs>>,
    y?: PerOutput<TensorLike> | BatchEvaluation,
    options: EvaluateOptions = {},
  ): never {
    if (areBatches(x)) {
      const batches = readerOf(this).converted(x as LaterBatches<BatchOf<TextInputs>>);
      return super.evaluate(batches, y as BatchEvaluation) as never;
    }
    const targets = y as PerOutput<TensorLike>;
    return readerOf(this).use(x as TextInputs, (values) =>
      super.evaluate(values, targets, options),
    ) as never;
  }

  /** Trains on batches with texts; see {@link Model.fit}. */
  override fit(
    batches: Batches<TextInputs & LayerInputs>,
    options?: FitOptions<TextInputs & LayerInputs>,
  ): Promise<History>;
  /** Converts the texts, once, and trains the model; see {@link Model.fit}. */
  override fit(
    x: TextInputs,
    y: PerOutput<TensorLike> | null | undefined,
    options?: FitOptions<TextInputs & LayerInputs>,
  ): Promise<History>;
  override async fit(x: unknown, y?: unknown, options?: FitOptions): Promise<History> {
    const temporary: Tensor[] = [];
    try {
      if (areBatches(x)) {
        const settings = readerOf(this).validated(y as FitOptions | undefined, temporary);
        return await super.fit(readerOf(this).source(x) as Batches, settings);
      }
      const inputs = readerOf(this).convert(x as TextInputs, temporary);
      const settings = readerOf(this).validated(options, temporary);
      return await super.fit(inputs, y as PerOutput<TensorLike>, settings);
    } finally {
      dispose(temporary);
    }
  }

  /** Converts the texts and takes a step of training; see {@link Model.trainOnBatch}. */
  override trainOnBatch(
    x: TextInputs,
    y?: PerOutput<TensorLike> | null,
    options: TrainOnBatchOptions = {},
  ): Promise<Logs> {
    return readerOf(this).use(x, (values) => super.trainOnBatch(values, y, options));
  }

  /** Converts the texts and tests the batch; see {@link Model.testOnBatch}. */
  override testOnBatch(
    x: TextInputs,
    y?: PerOutput<TensorLike> | null,
    options: Pick<TrainOnBatchOptions, 'sampleWeight'> = {},
  ): Promise<Logs> {
    return readerOf(this).use(x, (values) => super.testOnBatch(values, y, options));
  }

  /** Converts the texts and reports the masks; see {@link Model.traceMasks}. */
  override traceMasks(
    inputs: TextInputs,
    options: CallOptions & { maskOperations?: boolean } = {},
  ): TraceEntry[] {
    return readerOf(this).use(inputs, (values) => super.traceMasks(values, options));
  }

  /** Converts the texts and checks their padding; see {@link Model.checkPadding}. */
  override checkPadding(x: TextInputs, options: PaddingOptions = {}): Promise<PaddingCheck> {
    return readerOf(this).use(x, (values) => super.checkPadding(values, options));
  }

  /** Converts the texts and measures each layer; see {@link Model.profile}. */
  override profile(inputs: TextInputs, options: ProfileOptions = {}): Promise<Profile> {
    return readerOf(this).use(inputs, (values) => super.profile(values, options));
  }

  /** Adds rows for the text inputs and their layers to those of the graph. @internal */
  completeRows(rows: NativeSummaryRow[]): NativeSummaryRow[] {
    return withTextRows(this.front.inputs, rows);
  }

  /** Paths of the model's own layers in its file, by name. @internal */
  get layerPaths(): ReadonlyMap<string, string> {
    return this.front.paths;
  }
  /** Weights of the layers that read text. @internal */
  get weightGroups(): readonly StoredGroup[] {
    return this.front.weightGroups;
  }
  /** Puts the text layers back into the config of the graph. @internal */
  completeConfig(graph: SerializedObject): SerializedObject {
    return withTextLayers(this.front.config, this.front.layers, graph);
  }

  /**
   * Returns the config of the whole model, with the layers that read text and their vocabularies.
   */
  override getConfig(): { [key: string]: unknown } {
    return this.front.config.config;
  }
  /** Returns the whole model in Keras's form. */
  override toJSON(): unknown {
    return this.front.config;
  }
  /** Rejects with UnsupportedError, because TensorFlow.js has no layers that read text. */
  override async saveTfjs(): Promise<Map<string, Uint8Array>> {
    throw new UnsupportedError(
      `'${this.name}' has layers that read text (${this.front.layers.map(({ name }) => name).join(', ')}), which TensorFlow.js lacks; save() writes a '.keras' file, saveWeights() the weights`,
    );
  }
}

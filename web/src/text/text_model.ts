// SPDX-License-Identifier: MIT
// The class of models that accept strings. Text layers cannot be part of a graph of tensors, so
// they run before it, in each method of Model. split_model.ts creates those of files,
// text_graphs.ts the others.
import { areBatches } from '../base/are_batches.js';
import { isPlain } from '../base/check.js';
import { BatchReader } from '../base/batches.js';
import { ConfigError, UnsupportedError, ValueError } from '../base/errors.js';
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
import { type SymbolicTensor, Tensor } from '../tensor/tensor.js';
import type { Prepared } from '../layers/layer_objects.js';
import type { TensorLike } from '../tensor/tensor.js';
import type { NativeSummaryRow } from '../engine/native.js';
import type { SerializedObject } from '../formats/artifact.js';
import { SymbolicText } from './symbolic_text.js';
import { type TextInput, withTextLayers, withTextRows } from './text_parts.js';
import type { TextLayer } from './text_layer.js';

/** One text, a list of texts, or a list of rows of one text each. */
type Texts = string | readonly string[] | readonly (readonly string[])[];
/**
 * Inputs of a model that reads text: texts, or [texts, 1] as in Keras; numbers for its other
 * inputs. Several inputs are a list or dictionary.
 */
export type TextInputs =
  | LayerInputs
  | Texts
  | readonly (Texts | TensorLike)[]
  | { readonly [name: string]: Texts | TensorLike };

/** The part of a model that converts text before the graph runs. */
export interface Front {
  /** Inputs of the model, in the order of its file. */
  readonly inputs: readonly TextInput[];
  /** Keys of a dictionary of inputs, in the order of `inputs`; empty for one or a list. */
  readonly keys: readonly string[];
  /** Layers that map text or categories, in the file's order. */
  readonly layers: readonly TextLayer[];
  /** The whole model in Keras's form, with the vocabularies. */
  readonly config: SerializedObject;
  /** Paths of the model's own layers in its file, by name. */
  readonly paths: ReadonlyMap<string, string>;
  /** Weights of the layers that convert text. */
  readonly weightGroups: readonly StoredGroup[];
}

const depthOf = (value: unknown): number => (Array.isArray(value) ? 1 + depthOf(value[0]) : 0);

/** Returns a list of texts as rows of one text each if the input has such rows, as Keras does. */
function inRows(texts: unknown, shape: unknown): unknown {
  const hasRows = Array.isArray(shape) && shape.length === 2 && shape[1] === 1;
  const isList = Array.isArray(texts) && texts.every((text) => typeof text === 'string');
  return hasRows && isList ? texts.map((text) => [text]) : texts;
}

/** Converts text by layers, one after the other. */
export function applyChain(chain: readonly TextLayer[], texts: unknown): Tensor {
  let value: unknown = texts;
  for (const layer of chain) value = (layer as { apply(data: unknown): unknown }).apply(value);
  return value as Tensor;
}

const leavesOf = (value: unknown): unknown[] =>
  Array.isArray(value) || isPlain(value) ? Object.values(value) : [value];

function dispose(tensors: readonly Tensor[]): void {
  for (const tensor of tensors) tensor.dispose();
}

/** A model that reads text. Its text layers convert strings before the graph runs. */
export class TextModel extends Model {
  /** Class name in configs: model files cannot name TextModel. */
  static override readonly name: string = 'Model';
  static {
    savedAsGraphs.add(TextModel);
  }
  readonly #front: Front;

  /** Called by `loadModel`, `new Sequential` and `new Model`. @internal */
  constructor(prepared: Prepared, front: Front) {
    super(prepared);
    this.#front = front;
    // Reading the symbols builds the model, so that its weights exist.
    for (const symbol of [...this.inputs, ...this.outputs]) symbol.dispose();
  }

  /** The layers that read the only text, one after the other; null for other models. @internal */
  get chain(): readonly TextLayer[] | null {
    const [chain, ...others] = this.#front.inputs.flatMap(({ chains }) => chains ?? [[]]);
    return chain && chain.length > 0 && others.length === 0 ? chain : null;
  }

  /** Throws ConfigError: the layers of such a model are fixed. @internal */
  add(): never {
    throw new ConfigError(
      `'${this.name}' reads texts, so its layers are fixed; write new Sequential([model, layer])`,
    );
  }

  /** The layers that read text, which are not in `layers`. */
  get textLayers(): readonly TextLayer[] {
    return this.#front.layers;
  }

  /** @internal Names of the inputs, and which of them are text. */
  get textInputs(): readonly { name: string; isText: boolean }[] {
    const { inputs, keys } = this.#front;
    return inputs.map(({ name, chains }, i) => ({
      name: keys[i] ?? name,
      isText: chains !== null,
    }));
  }

  /** Returns the value of each input. */
  #values(data: unknown): unknown[] {
    const { inputs, keys } = this.#front;
    const [first] = inputs;
    const isTexts = typeof data === 'string' || Array.isArray(data) || data instanceof Tensor;
    if (!isTexts && typeof data === 'object' && data !== null && !ArrayBuffer.isView(data)) {
      const dictionary = data as { [key: string]: unknown };
      return inputs.map(({ name }, i) => {
        const key = keys[i] ?? name;
        if (Object.hasOwn(dictionary, key)) return dictionary[key];
        throw new ValueError(
          `'${this.name}' has the inputs ${inputs.map((input, k) => keys[k] ?? input.name).join(', ')}, but '${key}' is missing`,
        );
      });
    }
    // A depth above 2 is a list of one input, with rows of one text each.
    if (inputs.length === 1) {
      return [first?.chains && depthOf(data) > 2 ? (data as unknown[])[0] : data];
    }
    if (Array.isArray(data) && data.length === inputs.length) return data;
    throw new ValueError(`'${this.name}' has ${inputs.length} inputs; give a list of that length`);
  }

  /** Returns the inputs of the graph, and adds the tensors created from text to `temporary`. */
  #convert(data: TextInputs, temporary: Tensor[]): LayerInputs {
    // Tensors are already converted.
    if ([data].flat().every((value) => value instanceof Tensor)) return data as LayerInputs;
    const values = this.#values(data).flatMap((value, i) => {
      const { chains, shape } = this.#front.inputs[i] as TextInput;
      if (!chains || value instanceof Tensor) return [value];
      return chains.map((chain) => {
        const tensor = applyChain(chain, inRows(value, shape));
        temporary.push(tensor);
        return tensor;
      });
    });
    return (values.length === 1 ? values[0] : values) as LayerInputs;
  }

  /** Returns the inputs of the graph as symbolic tensors: results of the layers that read text. */
  #symbols(data: unknown): SymbolicInputs {
    const { inputs } = this.#front;
    const isSingle = inputs.length === 1 && Array.isArray(data) && data.length === 1;
    const values = data instanceof SymbolicText || isSingle ? [data].flat() : this.#values(data);
    const symbols = values.flatMap((value, i) => {
      const { chains } = inputs[i] as TextInput;
      return (value instanceof SymbolicText ? chains : null)?.map(this.#readBy(value)) ?? [value];
    });
    return (symbols.length === 1 ? symbols[0] : symbols) as SymbolicInputs;
  }

  /** Returns a function that applies a chain of layers to a symbolic text. */
  #readBy(text: unknown): (chain: readonly TextLayer[]) => SymbolicTensor {
    return ([layer, ...others]) => {
      if (layer && others.length === 0) return (text as SymbolicText).readBy(layer);
      throw new ConfigError(
        `'${this.name}' reads a text by several layers in turn, so it cannot be part of a graph; predict with it and pass the result on`,
      );
    };
  }

  /** Yields batches with the inputs of the graph. */
  async *#converted(batches: LaterBatches<BatchOf<TextInputs>>): AsyncGenerator<BatchOf> {
    const reader = new BatchReader<BatchOf<TextInputs>>(batches);
    let isDone = false;
    try {
      for (;;) {
        const { done, value } = await reader.next();
        isDone = done === true;
        if (isDone) return;
        const [x, ...rest] = value as BatchOf<TextInputs>;
        const temporary: Tensor[] = [];
        try {
          yield [this.#convert(x, temporary), ...rest] as unknown as BatchOf;
        } finally {
          dispose(temporary);
        }
      }
    } finally {
      if (!isDone) await reader.close();
    }
  }

  /** Runs `use` on the inputs of the graph, then disposes of the tensors created from text. */
  #with<R>(data: TextInputs, use: (inputs: LayerInputs) => R): R {
    const temporary: Tensor[] = [];
    try {
      const result = use(this.#convert(data, temporary));
      if (!(result instanceof Promise)) return result;
      const used = temporary.splice(0);
      return result.finally(() => dispose(used)) as R;
    } finally {
      dispose(temporary);
    }
  }

  /** Converts the texts and calls the model; see `apply` of Model. */
  override apply<T extends LayerOutputs = Tensor>(inputs: TextInputs, options?: CallOptions): T;
  override apply<T extends SymbolicOutputs = SymbolicTensor>(
    inputs: SymbolicInputs,
    options?: CallOptions,
  ): T;
  override apply(inputs: TextInputs | SymbolicInputs, options: CallOptions = {}): never {
    if (leavesOf(inputs).some((value) => value instanceof SymbolicText)) {
      return super.apply<SymbolicOutputs>(this.#symbols(inputs), options) as never;
    }
    const run = (values: LayerInputs) => super.apply<LayerOutputs>(values, options);
    return this.#with(inputs as TextInputs, run) as never;
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
    return this.#with(inputs as TextInputs, run) as never;
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
      const batches = this.#converted(x as LaterBatches<BatchOf<TextInputs>>);
      return super.evaluate(batches, y as BatchEvaluation) as never;
    }
    const targets = y as PerOutput<TensorLike>;
    return this.#with(x as TextInputs, (values) =>
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
        const settings = this.#validated(y as FitOptions | undefined, temporary);
        return await super.fit(this.#source(x) as Batches, settings);
      }
      const inputs = this.#convert(x as TextInputs, temporary);
      const settings = this.#validated(options, temporary);
      return await super.fit(inputs, y as PerOutput<TensorLike>, settings);
    } finally {
      dispose(temporary);
    }
  }

  /** A function creates batches for each epoch. */
  #source(batches: unknown): unknown {
    if (typeof batches === 'function') return () => this.#converted(batches() as never);
    return this.#converted(batches as never);
  }

  /** Returns options of `fit` with validation data for the graph. */
  #validated(options: FitOptions | undefined, temporary: Tensor[]): FitOptions | undefined {
    const data: unknown = options?.validationData;
    if (!data) return options;
    const validationData = Array.isArray(data)
      ? [this.#convert(data[0] as TextInputs, temporary), ...data.slice(1)]
      : this.#source(data);
    return { ...options, validationData } as FitOptions;
  }

  /** Converts the texts and takes a step of training; see {@link Model.trainOnBatch}. */
  override trainOnBatch(
    x: TextInputs,
    y?: PerOutput<TensorLike> | null,
    options: TrainOnBatchOptions = {},
  ): Promise<Logs> {
    return this.#with(x, (values) => super.trainOnBatch(values, y, options));
  }

  /** Converts the texts and tests the batch; see {@link Model.testOnBatch}. */
  override testOnBatch(
    x: TextInputs,
    y?: PerOutput<TensorLike> | null,
    options: Pick<TrainOnBatchOptions, 'sampleWeight'> = {},
  ): Promise<Logs> {
    return this.#with(x, (values) => super.testOnBatch(values, y, options));
  }

  /** Converts the texts and reports the masks; see {@link Model.traceMasks}. */
  override traceMasks(
    inputs: TextInputs,
    options: CallOptions & { maskOperations?: boolean } = {},
  ): TraceEntry[] {
    return this.#with(inputs, (values) => super.traceMasks(values, options));
  }

  /** Converts the texts and checks their padding; see {@link Model.checkPadding}. */
  override checkPadding(x: TextInputs, options: PaddingOptions = {}): Promise<PaddingCheck> {
    return this.#with(x, (values) => super.checkPadding(values, options));
  }

  /** Converts the texts and measures each layer; see {@link Model.profile}. */
  override profile(inputs: TextInputs, options: ProfileOptions = {}): Promise<Profile> {
    return this.#with(inputs, (values) => super.profile(values, options));
  }

  /** Adds rows for the text inputs and their layers to those of the graph. @internal */
  completeRows(rows: NativeSummaryRow[]): NativeSummaryRow[] {
    return withTextRows(this.#front.inputs, rows);
  }

  /** Paths of the model's own layers in its file, by name. @internal */
  get layerPaths(): ReadonlyMap<string, string> {
    return this.#front.paths;
  }
  /** Weights of the layers that read text. @internal */
  get weightGroups(): readonly StoredGroup[] {
    return this.#front.weightGroups;
  }
  /** Puts the text layers back into the config of the graph. @internal */
  completeConfig(graph: SerializedObject): SerializedObject {
    return withTextLayers(this.#front.config, this.#front.layers, graph);
  }

  /**
   * Returns the config of the whole model, with the layers that read text and their vocabularies.
   */
  override getConfig(): { [key: string]: unknown } {
    return this.#front.config.config;
  }
  /** Returns the whole model in Keras's form. */
  override toJSON(): unknown {
    return this.#front.config;
  }
  /** Rejects with UnsupportedError, because TensorFlow.js has no layers that read text. */
  override async saveTfjs(): Promise<Map<string, Uint8Array>> {
    throw new UnsupportedError(
      `'${this.name}' has layers that read text (${this.#front.layers.map(({ name }) => name).join(', ')}), which TensorFlow.js lacks; save() writes a '.keras' file, saveWeights() the weights`,
    );
  }
}

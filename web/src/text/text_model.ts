// SPDX-License-Identifier: MIT
import { UnsupportedError, ValueError } from '../base/errors.js';
import type {
  CallOptions,
  LayerInputs,
  LayerOutputs,
  SymbolicInputs,
  SymbolicOutputs,
} from '../layers/args.js';
import type { EvaluateOptions, Evaluation, PerOutput } from '../measures/evaluation.js';
import { Model } from '../model/model.js';
import type { Predictions } from '../model/predictor.js';
import type { Profile, ProfileOptions } from '../model/profile.js';
import type { TraceEntry } from '../model/trace.js';
import { type SymbolicTensor, Tensor } from '../tensor/tensor.js';
import type { Prepared } from '../layers/layer_objects.js';
import type { TensorLike } from '../tensor/tensor.js';
import type { VocabularyLayer } from './vocabulary_file.js';

/** An input of the model as its file has it; strings go through the layers of each chain, numbers stay. */
export interface TextInput {
  readonly name: string;
  /** One value for the graph each; null for numbers. */
  readonly chains: readonly (readonly VocabularyLayer[])[] | null;
}

type Texts = string | readonly string[] | readonly (readonly string[])[];
/** What a model that reads text takes: texts, [texts, 1] as in Keras, numbers for other inputs; lists or dictionaries of several. */
export type TextInputs =
  | LayerInputs
  | Texts
  | readonly (Texts | TensorLike)[]
  | { readonly [name: string]: Texts | TensorLike };

export interface Front {
  readonly inputs: readonly TextInput[];
  /** Keys of a dictionary of inputs, in the order of `inputs`; empty for one or a list. */
  readonly keys: readonly string[];
  /** Of TextVectorization and the lookups, in the file's order. */
  readonly layers: readonly VocabularyLayer[];
}

const depthOf = (value: unknown): number => (Array.isArray(value) ? 1 + depthOf(value[0]) : 0);

/** Text through vocabulary layers, one after the other. */
export function throughChain(chain: readonly VocabularyLayer[], texts: unknown): Tensor {
  let value: unknown = texts;
  for (const layer of chain) value = (layer as { apply(data: unknown): unknown }).apply(value);
  return value as Tensor;
}

function dispose(tensors: readonly Tensor[]): void {
  for (const tensor of tensors) tensor.dispose();
}

/** A model out of a file that takes text: what read strings in Python does so before the graph runs. */
export class TextModel extends Model {
  // As the class that the file has; this one is nothing that a file could name.
  static override readonly name: string = 'Model';
  readonly #front: Front;

  constructor(prepared: Prepared, front: Front) {
    super(prepared);
    this.#front = front;
    // As Sequential does: weights are there at once.
    for (const symbol of [...this.inputs, ...this.outputs]) symbol.dispose();
  }

  /** The layers that read text, which `layers` leaves out. */
  get textLayers(): readonly VocabularyLayer[] {
    return this.#front.layers;
  }

  #values(given: unknown): unknown[] {
    const { inputs, keys } = this.#front;
    const [first] = inputs;
    const isTexts = typeof given === 'string' || Array.isArray(given) || given instanceof Tensor;
    if (!isTexts && typeof given === 'object' && given !== null && !ArrayBuffer.isView(given)) {
      const dictionary = given as { [key: string]: unknown };
      return inputs.map(({ name }, i) => {
        const key = keys[i] ?? name;
        if (Object.hasOwn(dictionary, key)) return dictionary[key];
        throw new ValueError(
          `'${this.name}' has the inputs ${inputs.map((input, k) => keys[k] ?? input.name).join(', ')}, but '${key}' is not given`,
        );
      });
    }
    // A list of one input, which holds rows of one text each.
    if (inputs.length === 1) {
      return [first?.chains && depthOf(given) > 2 ? (given as unknown[])[0] : given];
    }
    if (Array.isArray(given) && given.length === inputs.length) return given;
    throw new ValueError(`'${this.name}' has ${inputs.length} inputs: give a list of as many`);
  }

  /** Runs `use` on what the graph takes; tensors made of text live as long. */
  #with<R>(given: TextInputs, use: (inputs: LayerInputs) => R): R {
    const made: Tensor[] = [];
    const ready = [given].flat();
    // What was text before is there already.
    if (ready.every((value) => value instanceof Tensor)) return use(given as LayerInputs);
    try {
      const values = this.#values(given).flatMap((value, i) => {
        const { chains } = this.#front.inputs[i] as TextInput;
        if (!chains || value instanceof Tensor) return [value];
        return chains.map((chain) => {
          const tensor = throughChain(chain, value);
          made.push(tensor);
          return tensor;
        });
      });
      const result = use((values.length === 1 ? values[0] : values) as LayerInputs);
      if (!(result instanceof Promise)) return result;
      const used = made.splice(0);
      return result.finally(() => dispose(used)) as R;
    } finally {
      dispose(made);
    }
  }

  override apply<T extends LayerOutputs = Tensor>(inputs: TextInputs, options?: CallOptions): T;
  override apply<T extends SymbolicOutputs = SymbolicTensor>(
    inputs: SymbolicInputs,
    options?: CallOptions,
  ): T;
  override apply(inputs: TextInputs | SymbolicInputs, options: CallOptions = {}): never {
    const run = (values: LayerInputs) => super.apply<LayerOutputs>(values, options);
    return this.#with(inputs as TextInputs, run) as never;
  }

  override predict<T extends LayerOutputs = Tensor>(
    inputs: TextInputs,
    options: CallOptions & { batchSize?: number } = {},
  ): T & Promise<T> {
    return this.#with(inputs, (values) => super.predict<T>(values, options)) as T & Promise<T>;
  }

  override predictAsync<T extends Predictions = Tensor>(
    inputs: TextInputs,
    options: CallOptions & { batchSize?: number; signal?: AbortSignal } = {},
  ): Promise<T> {
    return super.predictAsync<T>(inputs as LayerInputs, options);
  }

  override evaluate(
    x: TextInputs,
    y: PerOutput<TensorLike>,
    options: EvaluateOptions = {},
  ): Evaluation {
    return this.#with(x, (values) => super.evaluate(values, y, options));
  }

  override traceMasks(
    inputs: TextInputs,
    options: CallOptions & { maskOperations?: boolean } = {},
  ): TraceEntry[] {
    return this.#with(inputs, (values) => super.traceMasks(values, options));
  }

  override profile(inputs: TextInputs, options: ProfileOptions = {}): Promise<Profile> {
    return this.#with(inputs, (values) => super.profile(values, options));
  }

  #unsaved(): never {
    throw new UnsupportedError(
      `'${this.name}' was loaded with layers that read text (${this.#front.layers.map(({ name }) => name).join(', ')}), which cannot be saved from here; saveWeights() saves its weights`,
    );
  }
  override async save(): Promise<Uint8Array> {
    return this.#unsaved();
  }
  override async saveTfjs(): Promise<Map<string, Uint8Array>> {
    return this.#unsaved();
  }
  override getConfig(): { [key: string]: unknown } {
    return this.#unsaved();
  }
  override toJSON(): unknown {
    return this.#unsaved();
  }
}

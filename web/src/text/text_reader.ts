// SPDX-License-Identifier: MIT
// The part of a model that turns its texts into the inputs of its graph.
import { isPlain } from '../base/check.js';
import { BatchReader } from '../base/batches.js';
import { ConfigError, ValueError } from '../base/errors.js';
import type { SerializedObject } from '../formats/artifact.js';
import type { LayerInputs, SymbolicInputs } from '../layers/args.js';
import type { LaterBatches } from '../model/predict_options.js';
import type { StoredGroup } from '../model/services.js';
import type { BatchOf, FitOptions } from '../model/train_options.js';
import { type SymbolicTensor, Tensor, type TensorLike } from '../tensor/tensor.js';
import { SymbolicText } from './symbolic_text.js';
import type { TextLayer } from './text_layer.js';
import type { TextInput } from './text_parts.js';

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
  /** Whether the model is a list of layers. */
  readonly isSequential: boolean;
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

/** Returns the values of a list or a dictionary. */
export const leavesOf = (value: unknown): unknown[] =>
  Array.isArray(value) || isPlain(value) ? Object.values(value) : [value];

/** Disposes of tensors. */
export function dispose(tensors: readonly Tensor[]): void {
  for (const tensor of tensors) tensor.dispose();
}

/** Converts the inputs of one model. */
export class TextReader {
  /** The part that reads texts. */
  readonly front: Front;
  /** The layers of a Sequential, whose objects must stay alive. */
  readonly layers: readonly unknown[];
  readonly #model: { readonly name: string };

  constructor(model: { readonly name: string }, front: Front, layers: readonly unknown[]) {
    this.#model = model;
    this.front = front;
    this.layers = layers;
  }

  /** Returns the value of each input. A text alone is one sample. */
  #values(given: unknown): unknown[] {
    const { inputs, keys } = this.front;
    const data = typeof given === 'string' ? [given] : given;
    const [first] = inputs;
    const isTexts = Array.isArray(data) || data instanceof Tensor;
    if (!isTexts && typeof data === 'object' && data !== null && !ArrayBuffer.isView(data)) {
      const dictionary = data as { [key: string]: unknown };
      return inputs.map(({ name }, i) => {
        const key = keys[i] ?? name;
        if (Object.hasOwn(dictionary, key)) return dictionary[key];
        throw new ValueError(
          `'${this.#model.name}' has the inputs ${inputs.map((input, k) => keys[k] ?? input.name).join(', ')}, but '${key}' is missing`,
        );
      });
    }
    // A depth above 2 is a list of one input, with rows of one text each.
    if (inputs.length === 1) {
      return [first?.chains && depthOf(data) > 2 ? (data as unknown[])[0] : data];
    }
    if (Array.isArray(data) && data.length === inputs.length) return data;
    throw new ValueError(
      `'${this.#model.name}' has ${inputs.length} inputs; give a list of that length`,
    );
  }

  /** Returns the inputs of the graph, and adds the tensors created from text to `temporary`. */
  convert(data: TextInputs, temporary: Tensor[]): LayerInputs {
    // Tensors are already converted.
    if ([data].flat().every((value) => value instanceof Tensor)) return data as LayerInputs;
    const values = this.#values(data).flatMap((value, i) => {
      const { chains, shape } = this.front.inputs[i] as TextInput;
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
  symbols(data: unknown): SymbolicInputs {
    const { inputs } = this.front;
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
        `'${this.#model.name}' reads a text by several layers in turn, so it cannot be part of a graph; predict with it and pass the result on`,
      );
    };
  }

  /** Yields batches with the inputs of the graph. */
  async *converted(batches: LaterBatches<BatchOf<TextInputs>>): AsyncGenerator<BatchOf> {
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
          yield [this.convert(x, temporary), ...rest] as unknown as BatchOf;
        } finally {
          dispose(temporary);
        }
      }
    } finally {
      if (!isDone) await reader.close();
    }
  }

  /** Runs `run` on the inputs of the graph, then disposes of the tensors created from text. */
  use<R>(data: TextInputs, run: (inputs: LayerInputs) => R): R {
    const temporary: Tensor[] = [];
    try {
      const result = run(this.convert(data, temporary));
      if (!(result instanceof Promise)) return result;
      const used = temporary.splice(0);
      return result.finally(() => dispose(used)) as R;
    } finally {
      dispose(temporary);
    }
  }

  /** A function creates batches for each epoch. */
  source(batches: unknown): unknown {
    if (typeof batches === 'function') return () => this.converted(batches() as never);
    return this.converted(batches as never);
  }

  /** Returns options of `fit` with validation data for the graph. */
  validated(options: FitOptions | undefined, temporary: Tensor[]): FitOptions | undefined {
    const data: unknown = options?.validationData;
    if (!data) return options;
    const validationData = Array.isArray(data)
      ? [this.convert(data[0] as TextInputs, temporary), ...data.slice(1)]
      : this.source(data);
    return { ...options, validationData } as FitOptions;
  }
}

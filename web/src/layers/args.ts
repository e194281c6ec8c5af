// SPDX-License-Identifier: MIT
// Arguments and results of calls of layers: their types, and their conversion to and from the
// core's form.
import { checkText, isPlain, refuse } from '../base/check.js';
import { ShapeError, ValueError } from '../base/errors.js';
import { toSnake } from '../base/names.js';
import type { NativeArgs, NativeResult } from '../engine/native.js';
import { isTypedArray, type Nested } from '../base/nested.js';
import { type ConfigValue, checkDepth } from '../engine/config_value.js';
import {
  asMask,
  asTensor,
  isTensor,
  type MaskLike,
  type SymbolicTensor,
  Tensor,
  type TensorLike,
  tensor,
  wrapTensor,
} from '../tensor/tensor.js';

/** Inputs of a call: one tensor, a list or a dictionary. */
export type LayerInputs =
  | TensorLike
  | readonly NestedTensors[]
  | { readonly [name: string]: TensorLike | NestedTensors };
/** Tensors in nested lists and dictionaries, for models with such inputs. */
export type NestedTensors =
  | Tensor
  | readonly NestedTensors[]
  | { readonly [name: string]: NestedTensors };
/** A mask of a call; null for no mask. */
type CallMask = MaskLike | SymbolicTensor | null;
/** A mask, or one for each of several tensors. */
export type Masks = CallMask | readonly CallMask[];
/** Symbolic tensors in nested lists and dictionaries. */
export type NestedSymbols =
  | SymbolicTensor
  | readonly NestedSymbols[]
  | { readonly [name: string]: NestedSymbols };
/** Inputs with at least one symbolic tensor. */
export type SymbolicInputs =
  | SymbolicTensor
  | readonly NestedSymbols[]
  | { readonly [name: string]: TensorLike | NestedSymbols };
/** Outputs of a call: one tensor, a list or a dictionary. */
export type LayerOutputs = Tensor | Tensor[] | { [name: string]: Tensor };
/** Outputs of a call on symbolic tensors. */
export type SymbolicOutputs =
  | SymbolicTensor
  | SymbolicTensor[]
  | { [name: string]: SymbolicTensor };

/**
 * Arguments of a call besides its inputs: Keras's names in camelCase. A layer without such an
 * argument throws ConfigError.
 */
export interface CallOptions {
  /**
   * Mask of the first argument, in place of the attached one. For a list of inputs, a list; for a
   * dictionary, a dictionary.
   */
  mask?: Masks | { readonly [name: string]: CallMask };
  /**
   * Whether the call is part of training. Default: that of the surrounding call, otherwise false.
   */
  training?: boolean | null;
  /** Initial states of a recurrent layer: one tensor, or one per state. Default: zeros. */
  initialState?: Tensor | SymbolicTensor | readonly (Tensor | SymbolicTensor)[];
  /** States of a cell before the timestep. */
  states?: Tensor | SymbolicTensor | readonly (Tensor | SymbolicTensor)[];
  /** Values of attention, when the first input is `query`. */
  value?: TensorLike | SymbolicTensor;
  /** Keys of attention. Default: `value`. */
  key?: TensorLike | SymbolicTensor;
  /**
   * Mask of the queries of GroupQueryAttention, [batch, query steps]. Default: the attached mask.
   * As in Keras, MultiHeadAttention does not use it.
   */
  queryMask?: MaskLike | SymbolicTensor | null;
  /**
   * Mask of `value` for attention with several heads, [batch, key steps]. Default: the attached
   * mask.
   */
  valueMask?: MaskLike | SymbolicTensor | null;
  /**
   * Mask of `key` for attention with several heads, [batch, key steps]. Default: the attached mask.
   */
  keyMask?: MaskLike | SymbolicTensor | null;
  /** Mask of attention, [batch, query steps, key steps]: whether the query sees the key. */
  attentionMask?: MaskLike | SymbolicTensor | null;
  /** Whether a query of attention sees only keys up to its own position. Default: false. */
  useCausalMask?: boolean;
  /** Whether attention returns its scores as a second output. Default: false. */
  returnAttentionScores?: boolean;
  /** Weight of each id for CategoryEncoding. */
  countWeights?: TensorLike | SymbolicTensor;
  /** Whether ReversibleEmbedding maps vectors to scores of the ids. Default: false. */
  reverse?: boolean;
}

/** Options of a layer's calls, including those that `call` of a custom layer adds. */
export type OptionsOf<L> = CallOptions | (CallOptions & OwnArguments<L>);
type OwnArguments<L> = L extends { call(inputs: never, options: infer Options): unknown }
  ? [Options] extends [never]
    ? unknown
    : Partial<Omit<Options, keyof CallOptions>>
  : unknown;

/** Key of the number of inputs of a model with a known graph; it is 1 for other layers. */
export const kInputCount = Symbol('inputCount');

/** The layer that is called. */
interface Callee {
  readonly className: string;
  readonly argumentNames: readonly string[];
  readonly isCustom: boolean;
  readonly [kInputCount]: number;
}

/** Arguments of a call in the core's form. Call `dispose()` to free tensors created from arrays. */
export class CallArguments {
  readonly native: NativeArgs;
  readonly #temporary: Tensor[] = [];
  readonly #tensors: Tensor[] = [];

  constructor(layer: Callee, inputs: LayerInputs | SymbolicInputs, options: CallOptions) {
    const { argumentNames: names } = layer;
    this.native = {
      inputs: [],
      list: false,
      keys: [],
      tensors: [],
      mask: null,
      training: null,
      options: Object.create(null),
    };
    try {
      this.#setInputs(inputs, layer);
      if (!isPlain(options)) {
        const several = names.length > 1 ? `{ ${names.join(', ')} }` : '[a, b]';
        const needed = `options such as { mask }; write several inputs as apply(${several})`;
        refuse(`the second argument of ${layer.className}.apply()`, needed, options);
      }
      for (const [name, value] of Object.entries(options)) {
        if (value !== undefined && value !== null) this.#setOption(name, value);
        else if (value === undefined && name === 'initialState' && !layer.isCustom) {
          throw new ValueError(
            'initialState is undefined: pass the states, or null to begin with zeros',
          );
        }
      }
      this.#sort(names);
      // Reading options may have run code that disposed of a tensor; reading its handle then throws
      // StateError.
      for (const { handle: _ } of this.#tensors);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Whether an argument is symbolic, so that the call records a node. */
  get isSymbolic(): boolean {
    return this.#tensors.some((tensor) => tensor.isSymbolic);
  }

  dispose(): void {
    for (const tensor of this.#temporary.splice(0)) tensor.dispose();
  }

  /**
   * Sorts the arguments as Python does: positional ones, then keywords by name. The order in which
   * a graph runs depends on it.
   */
  #sort(names: readonly string[]): void {
    const rank = ({ name }: { name: string }): string => {
      const place = names.findIndex((known) => toSnake(known) === name);
      return place < 0 ? name : `${place}`; // digits sort before letters
    };
    this.native.tensors.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  }

  #tensor(value: TensorLike): Tensor {
    return this.#keep(asTensor(value), value);
  }

  /** Returns `made`, and disposes of it after the call if it is not `given`. */
  #keep(made: Tensor, given?: unknown): Tensor {
    if (made !== given) this.#temporary.push(made);
    this.#tensors.push(made);
    return made;
  }

  #setInputs(inputs: LayerInputs | SymbolicInputs, layer: Callee): void {
    const { native } = this;
    if (isTensorList(inputs) || isSeveral(inputs, layer)) {
      native.list = true;
      native.inputs = inputs.map((input) => this.#tensor(input).handle);
    } else if (isStructure(inputs)) {
      this.#setDictionary(inputs, layer.argumentNames);
    } else {
      native.inputs = [this.#tensor(inputs as TensorLike).handle];
    }
  }

  // Reads a dictionary: arguments by name if the layer has several (query, value, key), else
  // inputs.
  #setDictionary(inputs: object, names: readonly string[]): void {
    this.native.list = Array.isArray(inputs);
    const first = names[0] as string;
    const byName = names.length > 1 && Object.hasOwn(inputs, first);
    for (const [key, value] of leaves(inputs)) {
      const handle = this.#tensor(value as TensorLike).handle;
      if (!byName) {
        this.native.keys.push(key);
        this.native.inputs.push(handle);
      } else if (key === first) {
        this.native.inputs = [handle];
      } else {
        this.native.tensors.push({ name: toSnake(key), values: [handle], list: false });
      }
    }
  }

  #setOption(name: string, value: unknown): void {
    if (name === 'mask') {
      this.native.mask = this.#masks(value as CallOptions['mask']);
    } else if (name === 'training') {
      this.native.training = Boolean(value);
    } else if (kMaskOptions.test(name) && !isTensor(value)) {
      const mask = this.#keep(tensor(value as Nested, { dtype: 'bool' }));
      this.native.tensors.push({ name: toSnake(name), values: [mask.handle], list: false });
    } else if (holdsTensors(value)) {
      const list = !isTensor(value);
      const tensors = list ? [...(value as Tensor[])] : [value];
      const values = tensors.map((item) => this.#tensor(item as TensorLike).handle);
      this.native.tensors.push({ name: toSnake(name), values, list });
    } else if (name === 'initialState') {
      throw new ValueError(
        'initialState must be a tensor, or a list of tensors: one for each state',
      );
    } else {
      this.native.options[toSnake(name)] = checkDepth(value, name) as ConfigValue;
    }
  }

  #masks(mask: CallOptions['mask']): (Tensor['handle'] | null)[] {
    const { inputs, keys } = this.native;
    return this.#maskList(mask).map((item, i) => {
      if (item === null || item === undefined) return null;
      const input = inputs[i];
      if (!input) {
        const what = keys.length > 0 ? 'name' : 'input';
        throw new ValueError(`there are ${inputs.length} inputs, but a mask for ${what} ${i + 1}`);
      }
      const { shape } = this.#tensors.find(({ handle }) => handle === input) as Tensor;
      return this.#keep(asMask(item, shape, true), item).handle;
    });
  }

  #maskList(mask: CallOptions['mask']): readonly (MaskLike | null)[] {
    const { list, keys } = this.native;
    if (keys.length > 0 && isPlain(mask)) {
      const unknown = Object.keys(mask).find((key) => !keys.includes(key));
      if (unknown) {
        throw new ValueError(
          `there is a mask for '${unknown}' but no such input: ${keys.join(', ')}`,
        );
      }
      return keys.map((key) => (Object.hasOwn(mask, key) ? mask[key] : null) as MaskLike | null);
    }
    return (list || keys.length > 0) && Array.isArray(mask) ? mask : [mask as MaskLike];
  }
}

export function isTensorList(value: unknown): value is readonly Tensor[] {
  return Array.isArray(value) && value.length > 0 && value.every(isTensor);
}

/** Returns whether a list has the data of `count` inputs or outputs, each a tensor or an array. */
export const isListOf = (value: unknown, count: number): value is readonly TensorLike[] =>
  count > 1 &&
  Array.isArray(value) &&
  value.length === count &&
  value.every((item) => typeof item === 'object' && item !== null && !isPlain(item));

/**
 * Returns whether the inputs are a list with an array for each input of a model. Throws ShapeError
 * for a list of another length, which cannot be the rows of one input either.
 */
export function isSeveral(
  inputs: unknown,
  model: { readonly [kInputCount]: number },
): inputs is readonly TensorLike[] {
  if (!Array.isArray(inputs) || isStructure(inputs)) return false;
  const count = model[kInputCount];
  if (count < 2 || isListOf(inputs, count)) return count > 1;
  const { length } = inputs as readonly unknown[];
  throw new ShapeError(
    `the model has ${count} inputs: pass a list of ${count} tensors or arrays, or a dictionary; this list has ${length} items`,
  );
}

// Looks only at the first item, because arrays of numbers may be large.
function isStructure(value: unknown): value is object {
  if (!Array.isArray(value)) return isPlain(value);
  let first: unknown = value;
  for (let i = 0; i < kDeepest && Array.isArray(first); i++) first = first[0];
  return isTensor(first) || isPlain(first);
}

const kDeepest = 32;

/** Options of attention that are masks, and arrays as well as tensors. */
const kMaskOptions = /^(query|key|value|attention)Mask$/;

/**
 * Returns the entries in the order in which Keras flattens them: lists by position, dictionaries by
 * key.
 */
export function inOrder(value: object): [string, unknown][] {
  const entries = Object.entries(value);
  return Array.isArray(value) ? entries : entries.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns the leaves of a nested structure with their paths, in the order of Keras. */
export function leaves(value: unknown, path = '', depth = 0): [string, unknown][] {
  if (!isStructure(value)) return [[path, value]];
  if (depth > kDeepest) {
    throw new ValueError(
      `the inputs are nested more than ${kDeepest} deep; do they contain themselves?`,
    );
  }
  return inOrder(value).flatMap(([key, item]) => {
    checkText(key, 'a key of tensors');
    return leaves(item, path ? `${path} / ${key}` : key, depth + 1);
  });
}

/** Flattens nested inputs to a dictionary by path. Other inputs are returned as they are. */
export function flatInputs(inputs: LayerInputs): LayerInputs {
  const entries = leaves(inputs);
  return entries.some(([path]) => path.includes(' / '))
    ? (Object.fromEntries(entries) as LayerInputs)
    : inputs;
}

/** Returns whether the inputs are one tensor or array, neither a list nor a dictionary. */
export function isSingle(inputs: LayerInputs): inputs is TensorLike {
  if (inputs instanceof Tensor || isTypedArray(inputs)) return true;
  return inputs !== null && inputs !== undefined && !isStructure(inputs);
}

function holdsTensors(value: unknown): boolean {
  return isTensor(value) || isTensorList(value);
}

/** Converts the result of a native call to tensors. */
export function fromResult(result: NativeResult, keeps: readonly unknown[] = []): LayerOutputs {
  const tensors = result.outputs.map((handle) => {
    const tensor = wrapTensor(handle);
    tensor.keeps = keeps;
    return tensor;
  });
  if (result.keys.length > 0) {
    return Object.fromEntries(result.keys.map((key, i) => [key, tensors[i] as Tensor]));
  }
  return result.list || tensors.length !== 1 ? tensors : (tensors[0] as Tensor);
}

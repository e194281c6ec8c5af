// SPDX-License-Identifier: MIT
import { isPlain, optionsOf, checkText } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import { toSnake } from '../base/names.js';
import type { NativeArgs, NativeResult } from '../engine/native.js';
import { isTypedArray } from '../base/nested.js';
import { type ConfigValue, checkDepth } from '../engine/config_value.js';
import {
  asMask,
  asTensor,
  isTensor,
  type MaskLike,
  type SymbolicTensor,
  Tensor,
  type TensorLike,
  wrapTensor,
} from '../tensor/tensor.js';

export type LayerInputs =
  | TensorLike
  | readonly NestedTensors[]
  | { readonly [name: string]: TensorLike | NestedTensors };
/** Tensors in lists and dictionaries, for a model whose inputs are nested so. */
export type NestedTensors =
  | Tensor
  | readonly NestedTensors[]
  | { readonly [name: string]: NestedTensors };
/** What can stand for a mask of a call. */
type CallMask = MaskLike | SymbolicTensor | null;
/** A mask, or one for each of several tensors. */
export type Masks = CallMask | readonly CallMask[];
/** Symbolic tensors in lists and dictionaries. */
export type NestedSymbols =
  | SymbolicTensor
  | readonly NestedSymbols[]
  | { readonly [name: string]: NestedSymbols };
/** Inputs of which at least one is symbolic. */
export type SymbolicInputs =
  | SymbolicTensor
  | readonly NestedSymbols[]
  | { readonly [name: string]: TensorLike | NestedSymbols };
export type LayerOutputs = Tensor | Tensor[] | { [name: string]: Tensor };
export type SymbolicOutputs =
  | SymbolicTensor
  | SymbolicTensor[]
  | { [name: string]: SymbolicTensor };

/** Arguments of a call beside its inputs, under Keras's names in camelCase. A layer that has no such argument says so. */
export interface CallOptions {
  /** Explicit mask(s) of the first argument; wins over the attached one. In its structure: a list for a list. */
  mask?: Masks | { readonly [name: string]: CallMask };
  training?: boolean | null;
  /** States to start from; one tensor, or one per state. */
  initialState?: SymbolicTensor | readonly SymbolicTensor[];
  /** Cells: the states before the step. */
  states?: SymbolicTensor | readonly SymbolicTensor[];
  /** Attention: what is looked through, where the first input is `query`. */
  value?: TensorLike | SymbolicTensor;
  key?: TensorLike | SymbolicTensor;
  queryMask?: MaskLike | SymbolicTensor | null;
  valueMask?: MaskLike | SymbolicTensor | null;
  keyMask?: MaskLike | SymbolicTensor | null;
  /** Attention: which query may see which key, [batch, query steps, key steps]. */
  attentionMask?: MaskLike | SymbolicTensor | null;
  /** Attention: a query sees no later key. */
  useCausalMask?: boolean;
  /** Attention: the scores are a second output. */
  returnAttentionScores?: boolean;
  /** CategoryEncoding: what each id counts. */
  countWeights?: TensorLike | SymbolicTensor;
  /** ReversibleEmbedding: from vectors to scores of the ids. */
  reverse?: boolean;
}

/** Those of a layer: also what `call` of a layer of your own has beside them. */
export type OptionsOf<L> = CallOptions | (CallOptions & OwnArguments<L>);
type OwnArguments<L> = L extends { call(inputs: never, options: infer Options): unknown }
  ? [Options] extends [never]
    ? unknown
    : Partial<Omit<Options, keyof CallOptions>>
  : unknown;

/** The arguments in the core's form, and the tensors made on the way, to be disposed of afterwards. */
export class CallArguments {
  readonly native: NativeArgs;
  readonly #temporary: Tensor[] = [];
  readonly #taken: Tensor[] = [];

  constructor(
    inputs: LayerInputs | SymbolicInputs,
    options: CallOptions,
    names: readonly string[],
  ) {
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
      this.#setInputs(inputs, names);
      for (const [name, value] of Object.entries(optionsOf(options))) {
        if (value !== undefined && value !== null) this.#setOption(name, value);
      }
      this.#sort(names);
      // What was read on the way may have run code that disposed of something: a StateError then.
      for (const { handle: _ } of this.#taken);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  dispose(): void {
    for (const tensor of this.#temporary.splice(0)) tensor.dispose();
  }

  /** As Python sees them: positional arguments, then named ones by their names. (The order in which a graph runs hangs on it.) */
  #sort(names: readonly string[]): void {
    const rank = ({ name }: { name: string }): string => {
      const place = names.findIndex((known) => toSnake(known) === name);
      return place < 0 ? name : `${place}`; // digits stand before letters
    };
    this.native.tensors.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  }

  #take(value: TensorLike): Tensor {
    const made = asTensor(value);
    if (made !== value) this.#temporary.push(made);
    this.#taken.push(made);
    return made;
  }

  #setInputs(inputs: LayerInputs | SymbolicInputs, names: readonly string[]): void {
    const { native } = this;
    if (inputs === null || inputs === undefined) throw new ValueError('the input is missing');
    if (isTensorList(inputs)) {
      native.list = true;
      native.inputs = inputs.map((input) => this.#take(input).handle);
    } else if (isStructure(inputs)) {
      this.#setDictionary(inputs, names);
    } else {
      native.inputs = [this.#take(inputs as TensorLike).handle];
    }
  }

  // By argument name for layers with several (query, value, key), else a dictionary of inputs.
  #setDictionary(inputs: object, names: readonly string[]): void {
    this.native.list = Array.isArray(inputs);
    const first = names[0] as string;
    const byName = names.length > 1 && Object.hasOwn(inputs, first);
    for (const [key, value] of leaves(inputs)) {
      const handle = this.#take(value as TensorLike).handle;
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
    } else if (holdsTensors(value)) {
      const list = !isTensor(value);
      const tensors = list ? [...(value as Tensor[])] : [value];
      const values = tensors.map((item) => this.#take(item as TensorLike).handle);
      this.native.tensors.push({ name: toSnake(name), values, list });
    } else if (name === 'initialState') {
      throw new ValueError('initialState is a tensor, or a list of tensors: one for each state');
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
        const one = keys.length > 0 ? 'name' : 'place';
        throw new ValueError(`there are ${inputs.length} inputs, but a mask for ${one} ${i + 1}`);
      }
      const { shape } = this.#taken.find(({ handle }) => handle === input) as Tensor;
      const made = asMask(item, shape, true);
      if (made !== item) this.#temporary.push(made);
      this.#taken.push(made);
      return made.handle;
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

// Data of many numbers is not looked through: its first item tells.
function isStructure(value: unknown): value is object {
  if (!Array.isArray(value)) return isPlain(value);
  let first: unknown = value;
  for (let i = 0; i < kDeepest && Array.isArray(first); i++) first = first[0];
  return isTensor(first) || isPlain(first);
}

const kDeepest = 32;

/** Entries in the order in which Keras flattens them: lists by position, dictionaries by key. */
export function inOrder(value: object): [string, unknown][] {
  const entries = Object.entries(value);
  return Array.isArray(value) ? entries : entries.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** What a nested structure holds, by path and in that order. */
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

/** Nested inputs as one dictionary, by path; what is not nested as it is. */
export function flatInputs(inputs: LayerInputs): LayerInputs {
  const found = leaves(inputs);
  return found.some(([path]) => path.includes(' / '))
    ? (Object.fromEntries(found) as LayerInputs)
    : inputs;
}

/** One tensor, or what becomes one: neither a list nor a dictionary. */
export function isSingle(inputs: LayerInputs): inputs is TensorLike {
  if (inputs instanceof Tensor || isTypedArray(inputs)) return true;
  return inputs !== null && inputs !== undefined && !isStructure(inputs);
}

function holdsTensors(value: unknown): boolean {
  return isTensor(value) || isTensorList(value);
}

/** What a native call returned, as tensors. */
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

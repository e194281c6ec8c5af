// SPDX-License-Identifier: MIT
import { elementCount, sum } from '../base/array.js';
import {
  CallArguments,
  type CallOptions,
  fromResult,
  type LayerInputs,
  type LayerOutputs,
  type Masks,
  type OptionsOf,
  type SymbolicInputs,
  type SymbolicOutputs,
} from './args.js';
import { type Brand, brand, foreignBrand, kBrand } from '../base/brand.js';
import {
  checkFunction,
  checkShape,
  isPlain,
  isShapeList,
  checkList,
  optionsOf,
  refuse,
  checkSynchronous,
  checkText,
  checkOptions,
} from '../base/check.js';
import { checkOwner, isCurrent, native, unwrap } from '../engine/engine.js';
import { StateError, ValueError } from '../base/errors.js';
import { toSnake } from '../base/names.js';
import type {
  NativeLayer,
  NativeLayerInfo,
  NativeShape,
  NativeWeightInfo,
} from '../engine/native.js';
import { isTypedArray, type Nested, type TypedArray } from '../base/nested.js';
import { type ConfigValue, checkDepth, LayerReference } from '../engine/config_value.js';
import { eachInside, forget, objectAt, Prepared, remember } from './layer_objects.js';
import type { InitializerLike, PolicyLike } from './keras_names.js';
import {
  asTensor,
  type DType,
  isTensor,
  notReal,
  type SymbolicTensor,
  Tensor,
  tensor,
  type TensorLike,
  wrapTensor,
} from '../tensor/tensor.js';
import { Variable, trainableVariables } from './variable.js';

/** Dimensions, null where unknown. */
export type Shape = (number | null)[];
/** What a layer or model was built for. */
export type BuiltFor = Shape | Shape[] | { [name: string]: Shape };
export type Config = { [key: string]: unknown };

export interface LayerConfig {
  name?: string;
  trainable?: boolean;
  dtype?: PolicyLike;
  /** Of a layer that begins a Sequential model: the shape of its input, without the batch. An `Input` in front says the same. */
  inputShape?: Shape;
  /** The same, with the batch. */
  batchInputShape?: Shape;
}

export interface WeightInfo {
  name: string;
  path: string;
  shape: number[];
  dtype: DType;
  trainable: boolean;
}

export interface WeightOptions {
  name: string;
  shape: readonly number[];
  /** Name or Keras configuration; 'glorotUniform' by default. */
  initializer?: InitializerLike;
  trainable?: boolean;
  dtype?: DType;
}

/** Makes a layer whose `apply` gives a list, output and states, when `returnState` is set. */
export interface WithStates<C, L extends Layer> {
  (
    config: C & { returnState: true },
  ): {
    apply(inputs: LayerInputs, options?: CallOptions): Tensor[];
    apply(inputs: SymbolicInputs, options?: CallOptions): SymbolicTensor[];
  } & L;
  (config: C): L;
}

const dtypes: DType[] = ['bool', 'int32', 'float32'];

/**
 * The base of all layers, and of your own: extend it, write `call` with `ops`, and if need be `computeMask`,
 * `build`, `computeOutputShape` and `getConfig`, as in Keras.
 *
 * A class that overrides `computeMask` supports masking; set `supportsMasking` to say otherwise. A `call` in whose text the
 * word `mask` stands, as in `call(inputs, { mask })`, gets it; `static usesMask` says so where the text does not. Layers held as properties are tracked. Tensors made while `call` runs are released
 * when it returns, except what it returns and what it gives to `keep`.
 */
export class Layer {
  /**
   * Does `call` use the mask of its inputs? Unless said, it does if the word stands in its text. Say `true` where a helper takes it from
   * the options that `call` hands on, and `false` where the word means something else.
   */
  static readonly usesMask?: boolean;
  #handle: NativeLayer | null = null;
  readonly #owner = native();
  readonly #custom: boolean;
  #held: object[] = [];
  #dtype: unknown = 'float32';
  #build: ((shape: never) => void) | undefined;
  /**
   * Makes a layer of your own a recurrent cell for `rnn({ cell })`: the sizes of its states. Its `call(inputs, { states })` is
   * given the rows that are not masked at a step, `[rows, features]`, and returns `[output, [state, …]]`.
   */
  declare readonly stateSize?: number | readonly number[];
  /** Of a recurrent cell: the size of its output; that of the first state unless set. */
  declare readonly outputSize?: number;
  /** Names of the tensor arguments of `call`. @internal */
  readonly argumentNames: readonly string[] = ['inputs'];
  /** For models, which Keras saves it of: shapes, with any number of rows. @internal */
  builtFor: BuiltFor | null = null;

  constructor(config: LayerConfig | Prepared = {}) {
    hide(this, 'argumentNames', this.argumentNames);
    hide(this, 'builtFor', null);
    this.#custom = !(config instanceof Prepared);
    if (config instanceof Prepared) {
      this.#handle = config.handle;
    } else {
      this.#handle = this.#create(optionsOf(config, 'the settings of a layer'));
      this.#guardBuild();
    }
    remember(this.#handle, this);
    this.holdSublayers();
  }

  #create(config: LayerConfig): NativeLayer {
    const common: { [key: string]: ConfigValue } = {};
    for (const key of ['name', 'trainable', 'inputShape', 'batchInputShape'] as const) {
      if (config[key] !== undefined) common[toSnake(key)] = checkDepth(config[key], key);
    }
    if (config.dtype !== undefined) {
      common.dtype = checkDepth(config.dtype, 'dtype') as ConfigValue;
      this.#dtype = config.dtype;
    }
    checkText(this.constructor.name, 'the name of a class');
    return unwrap(native().jsLayerCreate(this.constructor.name, common, this.traits(config)));
  }

  /** @internal */
  protected traits(_config: LayerConfig): {
    takesMask: boolean;
    overridesComputeMask: boolean;
    isModel: boolean;
  } {
    return {
      takesMask: takesMask(this, this.call),
      overridesComputeMask: this.computeMask !== Layer.prototype.computeMask,
      isModel: false,
    };
  }

  // A `build` of the user's runs once, through the core, whoever calls it.
  #guardBuild(): void {
    if (this.build === Layer.prototype.build) return;
    this.#build = this.build;
    hide(this, 'build', Layer.prototype.build);
  }

  /** Keeps the custom layers inside alive, which the core knows by id only. @internal */
  protected holdSublayers(): void {
    if (!this.isCustom) this.#held = customInside(this.handle);
  }

  get isDisposed(): boolean {
    return this.#handle === null;
  }
  /** @internal */
  get handle(): NativeLayer {
    if (!(#handle in this)) throw notReal('layer');
    if (!this.#handle) throw new StateError('this layer was disposed of; make a new one');
    checkOwner(this.#owner, 'layer');
    return this.#handle;
  }
  /** @internal */
  get [kBrand](): Brand {
    return brand('layer');
  }

  /** Is `call` JavaScript? @internal */
  get isCustom(): boolean {
    return this.#custom;
  }
  get name(): string {
    return infoOf(this).name;
  }
  /** Keras's class name. */
  get className(): string {
    return infoOf(this).className;
  }
  get built(): boolean {
    return infoOf(this).built;
  }
  get stateful(): boolean {
    return infoOf(this).stateful;
  }
  get trainable(): boolean {
    return infoOf(this).trainable;
  }
  set trainable(trainable: boolean) {
    unwrap(native().layerSet(this.handle, { trainable }));
  }
  get supportsMasking(): boolean {
    return infoOf(this).supportsMasking;
  }
  set supportsMasking(supports: boolean) {
    unwrap(native().layerSet(this.handle, { supports_masking: supports }));
  }

  /**
   * Calls the layer: computes on tensors (or arrays), or records a node of the graph on symbolic tensors.
   * The result carries the mask that the layer gives it. Layers with several outputs give a list of tensors
   * (or a dictionary): `const [y, h, c] = lstm.apply(x)`, or `apply<Tensor[]>(x)` to say so.
   */
  apply<T extends LayerOutputs = Tensor>(inputs: LayerInputs, options?: OptionsOf<this>): T;
  apply<T extends SymbolicOutputs = SymbolicTensor>(
    inputs: SymbolicInputs,
    options?: OptionsOf<this>,
  ): T;
  apply<T>(inputs: LayerInputs | SymbolicInputs, options: CallOptions = {}): T {
    const args = new CallArguments(inputs, options, this.argumentNames);
    try {
      const result = unwrap(native().layerApply(this.handle, args.native));
      return fromResult(result, [this, inputs]) as T;
    } finally {
      args.dispose();
    }
  }

  /** Output and mask at once; the mask is a bool tensor or null. */
  applyWithMask(
    inputs: LayerInputs,
    options?: OptionsOf<this>,
  ): { output: Tensor; mask: Tensor | null };
  applyWithMask(
    inputs: SymbolicInputs,
    options?: OptionsOf<this>,
  ): { output: SymbolicTensor; mask: SymbolicTensor | null };
  applyWithMask(
    inputs: LayerInputs | SymbolicInputs,
    options: OptionsOf<this> = {},
  ): { output: Tensor; mask: Tensor | null } {
    const result = this.apply<Tensor | Tensor[]>(inputs as LayerInputs, options);
    const output = Array.isArray(result) ? (result[0] as Tensor) : result;
    return { output, mask: output.mask };
  }

  /** What the layer does; override it in your own. */
  call(_inputs: never, _options: never): unknown {
    throw new StateError(`${this.className} has no call(): override it, or use apply()`);
  }

  /** The mask of the output; by default the one of the input, as in Keras. */
  computeMask(
    inputs: TensorLike | SymbolicTensor | readonly SymbolicTensor[],
    mask: Masks = null,
  ): Tensor | null | (Tensor | null)[] {
    if (this.isCustom) return mask as Tensor | null;
    const args = new CallArguments(inputs, { mask }, this.argumentNames);
    try {
      const { inputs: handles, list, mask: masks } = args.native;
      const result = unwrap(
        native().layerComputeMask(this.handle, handles, list, masks ?? handles.map(() => null)),
      ).map((handle) => (handle ? wrapTensor(handle) : null));
      return list && result.length > 1 ? result : (result[0] ?? null);
    } finally {
      args.dispose();
    }
  }

  /** The output shape for an input shape; batch first, null where unknown. A list for several. */
  computeOutputShape(inputShape: Shape | Shape[]): Shape | Shape[] {
    const list = isShapeList(inputShape);
    const shapes = (list ? inputShape : [inputShape]) as NativeShape[];
    const result = unwrap(native().layerComputeOutputShape(this.handle, shapes, list));
    return result.length === 1 ? (result[0] as Shape) : result;
  }

  /** Makes the weights for an input shape, batch first; the first call of `apply` does it by itself. */
  build(inputShape: Shape | Shape[]): void {
    const shapes = (isShapeList(inputShape) ? inputShape : [inputShape]) as NativeShape[];
    unwrap(native().layerBuild(this.handle, shapes));
    this.builtFor ??= inputShape;
  }

  /** The configuration in Keras's form, from which `fromConfig` makes an equal layer. */
  getConfig(): Config {
    if (!this.isCustom) return unwrap(native().layerGetConfig(this.handle));
    return { name: this.name, trainable: this.trainable, dtype: this.#dtype };
  }

  static fromConfig<T extends Layer>(this: new (config: never) => T, config: Config): T {
    return new this(config as never);
  }

  /** All weights, those of layers inside included, in Keras's order. */
  get weights(): WeightInfo[] {
    return weightsOf(this).map((weight) => ({ ...weight, dtype: dtypes[weight.dtype] as DType }));
  }
  get trainableWeights(): WeightInfo[] {
    return this.weights.filter((weight) => weight.trainable);
  }
  get nonTrainableWeights(): WeightInfo[] {
    return this.weights.filter((weight) => !weight.trainable);
  }
  /** Those that training changes, in Keras's order: of `maskflow/train`. The same objects each time. */
  get trainableVariables(): Variable[] {
    return trainableVariables.get()(this);
  }
  /** Values of all weights; the tensors are yours. */
  getWeights(): Tensor[] {
    return weightsOf(this).map((_, i) =>
      wrapTensor(unwrap(native().layerGetWeight(this.handle, i))),
    );
  }
  /** Sets all weights, in the order of `weights`. Shapes must be equal; flat typed arrays take the shape. */
  setWeights(values: readonly (Tensor | TypedArray | Nested)[]): void {
    checkList(values, 'what setWeights takes');
    const infos = weightsOf(this);
    const made: Tensor[] = [];
    try {
      const tensors = values.map((value, i) => {
        if (value instanceof Tensor) return value;
        const shape = infos[i]?.shape;
        const result =
          isTypedArray(value) && shape
            ? tensor(value, { shape, dtype: 'float32' })
            : isTensor(value)
              ? asTensor(value)
              : tensor(value);
        made.push(result);
        return result;
      });
      unwrap(
        native().layerSetWeights(
          this.handle,
          tensors.map((t) => t.handle),
        ),
      );
    } finally {
      for (const temporary of made) temporary.dispose();
    }
  }

  /** Adds a weight; call it in `build` or in the constructor. */
  addWeight(options: WeightOptions): Variable {
    const {
      name,
      shape,
      initializer = 'glorotUniform',
      trainable = true,
      dtype = 'float32',
    } = checkOptions(options, { name: 1, shape: 1, initializer: 1, trainable: 1, dtype: 1 });
    checkText(name, 'the name of a weight');
    checkText(dtype, 'dtype');
    checkShape(shape);
    const weight = {
      name,
      shape: [...shape],
      initializer: checkDepth(initializer, 'the initializer') as ConfigValue,
      trainable: Boolean(trainable),
      dtype,
    };
    const index = unwrap(native().layerAddWeight(this.handle, weight));
    return new Variable(this, index, name, shape);
  }

  countParams(): number {
    return sum(this.weights.map(({ shape }) => elementCount(shape)));
  }

  /** Forgets the states of stateful layers. */
  resetState(): void {
    unwrap(native().layerResetState(this.handle));
  }
  /** Keras 2's name of {@link resetState}. */
  resetStates(): void {
    this.resetState();
  }

  /** Neither disposed of nor of an instance that is gone. @internal */
  protected get isAlive(): boolean {
    return this.#handle !== null && isCurrent(this.#owner);
  }

  /** Gives the weights back. A layer that others use lives on in them. Twice is fine. */
  dispose(): void {
    if (this.isAlive) forget(this.handle, this);
    this.#handle = null;
    this.#held = [];
  }
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Runs the user's own `build`. @internal */
  runBuild(shape: Shape | Shape[]): void {
    if (!this.#build) return;
    checkFunction(this.#build, `build of ${this.className}`);
    checkSynchronous(this.#build(shape as never) as unknown, `build() of ${this.className}`);
  }
  /** Layers held alive for the core. @internal */
  get held(): readonly object[] {
    return this.#held;
  }
  /** Sublayers of a custom layer: properties that are layers, also in arrays and plain objects. @internal */
  ownLayers(): Layer[] {
    const found: Layer[] = [];
    const visit = (value: unknown, depth: number): void => {
      if (value instanceof Layer) {
        if (!found.includes(value)) found.push(value);
      } else if (Array.isArray(value) && depth < 3) {
        for (const item of value) visit(item, depth + 1);
      } else if (isPlain(value) && depth < 3) {
        for (const item of Object.values(value)) visit(item, depth + 1);
      }
    };
    for (const value of Object.values(this)) visit(value, 0);
    return found;
  }
}

const infoOf = ({ handle }: Layer): NativeLayerInfo => unwrap(native().layerInfo(handle));
const weightsOf = ({ handle }: Layer): NativeWeightInfo[] => unwrap(native().layerWeights(handle));

/** Does a layer's function use masks? As its class says; else those do that mention them. @internal */
export const takesMask = (layer: Layer, call: unknown): boolean =>
  (layer.constructor as typeof Layer).usesMask ?? /\bmask\b/.test(String(call));

/** The core's layer of what should be one. @internal */
export const handleOf = (layer: unknown): NativeLayer =>
  layer instanceof Layer ? layer.handle : refuse('a layer', 'an object of Layer', layer);

function customInside(layer: NativeLayer, seen: NativeLayer[] = [layer]): object[] {
  const found: object[] = [];
  eachInside(layer, (inner) => {
    if (unwrap(native().layerInfo(inner)).kind === 'js') {
      found.push(objectAt(inner));
    } else if (!seen.includes(inner)) {
      seen.push(inner);
      found.push(...customInside(inner, seen));
    }
  });
  return found;
}

function hide(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: false,
    writable: true,
    configurable: true,
  });
}

/** The configuration as the core takes it: snake_case keys, layers by reference. @internal */
export function toNativeConfig(config: object): { [key: string]: never } {
  const given = optionsOf(config, 'the settings of a layer');
  const plain = checkDepth(given, 'the configuration', (value, key) => {
    if (value instanceof Layer) return new LayerReference(value.handle);
    if (typeof value === 'string' && /activation$/i.test(key)) return toSnake(value);
    if (typeof value === 'function') {
      throw new ValueError(
        `'${key}' is a function; functions of your own go into a Lambda or a custom layer`,
      );
    }
    if (foreignBrand(value)) refuse(`'${key}'`, 'of this copy', value);
    return value;
  });
  return Object.fromEntries(
    Object.entries(plain).map(([key, value]) => [toSnake(key), value as never]),
  );
}

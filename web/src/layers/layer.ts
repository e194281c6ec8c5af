// SPDX-License-Identifier: MIT
// The JavaScript side of every layer. The core calls custom layers through host.ts.
import { elementCount, sum } from '../base/array.js';
import {
  CallArguments,
  type CallOptions,
  fromResult,
  kInputCount,
  type LayerInputs,
  type LayerOutputs,
  type Masks,
  type OptionsOf,
  type SymbolicInputs,
  type SymbolicOutputs,
} from './args.js';
import { addWeight } from './add_weight.js';
import { addedLosses, callLayer } from './added_losses.js';
import { adoptedBy, noticeUse, runningIn } from './adopted.js';
import { infoOf, instancesInside, setWeights, weightsOf } from './layer_values.js';
import { type Brand, brand, kBrand } from '../base/brand.js';
import {
  checkFunction,
  isShapeList,
  optionsOf,
  refuse,
  checkSynchronous,
  checkText,
} from '../base/check.js';
import { define, hide } from '../base/define.js';
import { kInspect } from '../base/inspect.js';
import { checkOwner, isCurrent, native, unwrap } from '../engine/engine.js';
import { StateError } from '../base/errors.js';
import { toSnake } from '../base/names.js';
import type { LayerTraits, NativeLayer, NativeShape } from '../engine/native.js';
import type { Nested, TypedArray } from '../base/nested.js';
import { type ConfigValue, checkDepth } from '../engine/config_value.js';
import { isTrial } from './user_code.js';
import { FileHooks } from './file_hooks.js';
import { customInside, forget, Prepared, remember } from './layer_objects.js';
import type {
  BuiltFor,
  Config,
  LayerConfig,
  Shape,
  ShapeLike,
  WeightInfo,
  WeightOptions,
} from './layer_config.js';
import {
  type DType,
  notReal,
  type SymbolicTensor,
  type Tensor,
  type TensorLike,
  wrapTensor,
} from '../tensor/tensor.js';
import { dtypes } from '../tensor/elements.js';
import { refusePythonNames } from '../base/python_names.js';
import { ownSettings } from './own_settings.js';
import { refuseOverrides } from './overrides.js';
import { oneOrAll } from './symbols.js';
import { trainableChanges } from './trainable_changes.js';
import { usesMask } from './uses_mask.js';
import { freeVariables, layerVariables, Place, type Variable, variableAt } from './variable.js';

export type { BuiltFor, Config, LayerConfig, Shape, ShapeLike, WeightInfo, WeightOptions };

/**
 * Base class of all layers. For a custom layer, extend it and write `call` with `ops`; if needed,
 * also `computeMask`, `build`, `computeOutputShape` and `getConfig`, as in Keras.
 *
 * A class that overrides `computeMask` supports masking, unless it sets `supportsMasking` to false.
 * `call` receives the mask if its parameter list names it, `call(inputs, { mask })`, or if the
 * class declares `static usesMask = true`. Layers in properties are tracked. Tensors created in
 * `call` are freed when it returns, except its result and tensors passed to `keep`.
 */
export class Layer extends FileHooks {
  /**
   * Whether `call` uses the mask of its inputs. By default it does if its parameter list names
   * `mask`, as in Keras. Declare `true` if `call` passes its options on to code that reads the
   * mask, and `false` if the name has another meaning.
   */
  static readonly usesMask?: boolean;
  /**
   * Attributes of the class in Python, by property, for files that begin here. By default
   * `denseIn` is `dense_in`, and after `loadModel` it has the name in the file.
   */
  static readonly pythonNames?: { readonly [property: string]: string };
  #handle: NativeLayer | null = null;
  readonly #owner = native();
  readonly #custom: boolean;
  /** Custom layers inside, which the core knows by id only. */
  #heldLayers: object[] = [];
  #dtype: unknown = 'float32';
  #build: ((shape: never) => void) | undefined;
  /**
   * Sizes of the states of a recurrent cell: one number, or a list with a number, or the list of
   * its axes, for each state. A custom layer that declares it, `stateSize = 8`, is a cell for
   * `rnn({ cell })`. At each timestep, `call(inputs, { states })` receives the rows that are not
   * masked, `[rows, features]`, and returns `[output, [state, …]]`.
   */
  declare readonly stateSize?: number | readonly (number | readonly number[])[];
  /** Size, or axes, of the output of a recurrent cell. Default: those of its first state. */
  declare readonly outputSize?: number | readonly number[];
  /**
   * Returns the states in which a recurrent cell begins a batch of sequences: one tensor [batch,
   * size], or a list. Without this method they are zeros. The batch size is the argument, or by
   * name `getInitialState({ batchSize })`.
   */
  getInitialState?(batchSize: never): TensorLike | readonly TensorLike[];
  /** Names of the tensor arguments of `call`. @internal */
  readonly argumentNames: readonly string[] = ['inputs'];
  /** Shapes that a model was built for, with any number of rows: Keras saves them. @internal */
  builtFor: BuiltFor | null = null;

  constructor(config: LayerConfig | Prepared = {}) {
    super();
    refusePythonNames(this, Layer.prototype);
    hide(this, 'argumentNames', this.argumentNames);
    hide(this, 'builtFor', null);
    this.#custom = !(config instanceof Prepared);
    if (config instanceof Prepared) {
      refuseOverrides(this, Layer.prototype, config.handle);
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
      if (config[key] !== undefined)
        common[toSnake(key)] = checkDepth(config[key], key) as ConfigValue;
    }
    if (config.dtype !== undefined) {
      common.dtype = checkDepth(config.dtype, 'dtype') as ConfigValue;
      this.#dtype = config.dtype;
    }
    checkText(this.constructor.name, 'the name of a class');
    return unwrap(native().jsLayerCreate(this.constructor.name, common, this.traits(config)));
  }

  /** @internal */
  protected traits(_config: LayerConfig): LayerTraits {
    return {
      takesMask: usesMask(this, this.call),
      overridesComputeMask: this.computeMask !== Layer.prototype.computeMask,
      isModel: false,
      hasBuild: this.build !== Layer.prototype.build,
    };
  }

  // A user-defined `build` runs once, through the core, whichever code calls it.
  #guardBuild(): void {
    if (this.build === Layer.prototype.build) return;
    this.#build = this.build;
    hide(this, 'build', Layer.prototype.build);
  }

  /** Keeps custom layers inside alive. @internal */
  protected holdSublayers(): void {
    if (!this.isCustom) this.#heldLayers = customInside(this.handle);
  }

  /** Whether `dispose()` was called. */
  get isDisposed(): boolean {
    return this.#handle === null;
  }
  /** @internal */
  get handle(): NativeLayer {
    if (!(#handle in this)) throw notReal('layer');
    if (!this.#handle)
      throw new StateError('this layer was disposed of; make a new one', 'ERR_DISPOSED');
    checkOwner(this.#owner, 'layer');
    return this.#handle;
  }
  /** @internal */
  get [kBrand](): Brand {
    return brand('layer');
  }

  /** Whether `call` is JavaScript. @internal */
  get isCustom(): boolean {
    return this.#custom;
  }
  /** Name of the layer, unique in a model. */
  get name(): string {
    return infoOf(this).name;
  }
  /** Class name, as in Keras. */
  get className(): string {
    return infoOf(this).className;
  }
  /** Whether the weights exist. */
  get built(): boolean {
    return infoOf(this).built;
  }
  /** Class, name and state, as Keras prints them: `<LSTM name=encoder, built=true>`. */
  override toString(): string {
    // A text that names a layer may be made before its constructor ends.
    if (!(#handle in this)) return '<Layer>';
    if (this.isDisposed) return '<Layer, disposed>';
    if (!isCurrent(this.#owner)) return '<Layer of a lost wasm instance>';
    const { className, name, built } = infoOf(this);
    return `<${className} name=${name}, built=${built}>`;
  }
  /** @internal */
  override [kInspect](): string {
    return String(this);
  }
  /** Whether states are kept from batch to batch. */
  get stateful(): boolean {
    return infoOf(this).stateful;
  }
  /** Whether training changes the weights, here and inside. Call `compile` after setting it. */
  get trainable(): boolean {
    return infoOf(this).trainable;
  }
  set trainable(trainable: boolean) {
    trainableChanges.count++;
    unwrap(native().layerSet(this.handle, checkDepth({ trainable }, 'trainable')));
  }
  /** Whether the layer passes masks on; otherwise see the option `onMaskDropped` of `ready`. */
  get supportsMasking(): boolean {
    return infoOf(this).supportsMasking;
  }
  set supportsMasking(supports: boolean) {
    const settings = checkDepth({ supports_masking: supports }, 'supportsMasking');
    unwrap(native().layerSet(this.handle, settings));
  }

  /**
   * Calls the layer. On tensors or arrays it computes; on symbolic tensors it records a node of the
   * graph. The result carries the mask that the layer computes. Layers with several outputs return
   * a list or a dictionary of tensors: `const [y, h, c] = lstm.apply<Tensor[]>(x)`.
   *
   * Throws ShapeError if a shape does not fit, ValueError for a missing or invalid argument, and
   * StateError after `dispose()`.
   */
  apply<T extends LayerOutputs = Tensor>(inputs: LayerInputs, options?: OptionsOf<this>): T;
  apply<T extends SymbolicOutputs = SymbolicTensor>(
    inputs: SymbolicInputs,
    options?: OptionsOf<this>,
  ): T;
  apply<T>(inputs: LayerInputs | SymbolicInputs, options: CallOptions = {}): T {
    addedLosses.supplied?.begin(this);
    const args = new CallArguments(this, inputs, options);
    try {
      const result = callLayer(this, args.native, isTrial() || args.isSymbolic);
      const outputs = fromResult(result, [this, inputs]) as T;
      noticeUse(this); // Its warning may throw; then the outputs have their owner already.
      return outputs;
    } finally {
      args.dispose();
    }
  }

  /** Calls the layer and returns its output together with its mask: a bool tensor, or null. */
  applyWithMask(
    inputs: LayerInputs,
    options?: OptionsOf<this>,
  ): { output: Tensor; mask: Tensor | null };
  /** On symbolic tensors, output and mask are symbolic, too. */
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

  /** Computes the output from the inputs. Override it in a custom layer. */
  call(_inputs: never, _options: never): unknown {
    throw new StateError(`${this.className} has no call(): override it, or use apply()`);
  }

  /**
   * Computes the mask of the output. By default it returns the mask of the input, as in Keras.
   * @param inputs Inputs of the call.
   */
  computeMask(
    inputs: TensorLike | SymbolicTensor | readonly SymbolicTensor[],
    mask: Masks = null,
  ): Tensor | null | (Tensor | null)[] {
    if (this.isCustom) return mask as Tensor | null;
    const args = new CallArguments(this, inputs, { mask });
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

  /**
   * Computes the output shape for an input shape: batch first, null where unknown. Several inputs
   * or outputs are a list of shapes.
   */
  computeOutputShape(inputShape: ShapeLike | readonly ShapeLike[]): Shape | Shape[] {
    const list = isShapeList(inputShape);
    const shapes = (list ? inputShape : [inputShape]) as NativeShape[];
    const result = unwrap(native().layerComputeOutputShape(this.handle, shapes, list));
    return result.length === 1 ? (result[0] as Shape) : result;
  }

  /** Creates the weights for an input shape, batch first; the first call of `apply` does, too. */
  build(inputShape: ShapeLike | readonly ShapeLike[]): void {
    const shapes = (isShapeList(inputShape) ? inputShape : [inputShape]) as NativeShape[];
    unwrap(native().layerBuild(this.handle, shapes));
    this.builtFor ??= inputShape as Shape | Shape[];
    noticeUse(this);
  }

  /** Returns the config in Keras's form, from which `fromConfig` creates an equal layer. */
  getConfig(): Config {
    if (!this.isCustom) return unwrap(native().layerGetConfig(this.handle));
    const { name, trainable } = this;
    return { name, trainable, dtype: this.#dtype, ...ownSettings(this, Layer.prototype) };
  }

  /** Class, config and registered name, for JSON.stringify. */
  toJSON(): unknown {
    return unwrap(native().layerSerialize(this.handle));
  }

  /** Creates a layer from its config. */
  static fromConfig<T extends Layer>(this: new (config: never) => T, config: Config): T {
    return new this(config as never);
  }

  /**
   * Symbolic inputs of the first call: one, or a list. With {@link output}, a new model can begin
   * or end at a layer of another one. Throws StateError if the layer is in no graph.
   *
   * @example
   * new Model({ inputs: model.inputs, outputs: model.getLayer('lstm').output })
   */
  get input(): SymbolicTensor | SymbolicTensor[] {
    return oneOrAll(this, 'inputs');
  }
  // A custom layer may have a property of its own with this name.
  set input(value: unknown) {
    define(this, 'input', value, true);
  }
  /** Symbolic outputs of the first call, with their masks; see {@link input}. */
  get output(): SymbolicTensor | SymbolicTensor[] {
    return oneOrAll(this, 'outputs');
  }
  set output(value: unknown) {
    define(this, 'output', value, true);
  }

  /** All weights, including those of layers inside, in Keras's order. */
  get weights(): WeightInfo[] {
    return weightsOf(this).map((weight) => ({ ...weight, dtype: dtypes[weight.dtype] as DType }));
  }
  /**
   * Weights that training changes; none if the layer itself is frozen. With `maskflow/train` they
   * are Variables.
   */
  get trainableWeights(): (Variable | WeightInfo)[] {
    if (layerVariables.supplied) return this.trainableVariables;
    return this.trainable ? this.weights.filter((weight) => weight.trainable) : [];
  }
  /** Weights that training does not change, as {@link trainableWeights}. */
  get nonTrainableWeights(): (Variable | WeightInfo)[] {
    if (layerVariables.supplied) return this.nonTrainableVariables;
    const { weights, trainable } = this;
    return trainable ? weights.filter((weight) => !weight.trainable) : weights;
  }
  /**
   * Variables that training changes, in Keras's order; always the same objects. Throws
   * UnsupportedError without `maskflow/train`.
   */
  get trainableVariables(): Variable[] {
    return layerVariables.get()(this, true);
  }
  /** Variables that training does not change; otherwise like {@link trainableVariables}. */
  get nonTrainableVariables(): Variable[] {
    return layerVariables.get()(this, false);
  }
  /**
   * Adds a term to the loss: the sum of a tensor, or of each in a list. Call it in `call`. `fit`
   * and `evaluate` count it; `predict` ignores it.
   */
  addLoss(loss: Tensor | readonly Tensor[]): void {
    addedLosses.supplied?.add(this, loss);
  }
  /** Losses that `addLoss` added in the last `apply`, inside too, and penalties of weights. */
  get losses(): Tensor[] {
    return addedLosses.get().of(this);
  }
  /** Returns the values of all weights as new tensors, in the order of `weights`. */
  getWeights(): Tensor[] {
    freeVariables.supplied?.attach(this);
    return unwrap(native().layerGetWeights(this.handle)).map((handle) => wrapTensor(handle));
  }
  /**
   * Sets all weights, in the order of `weights`. A flat typed array receives the shape of its
   * weight. Throws ShapeError if a shape differs.
   */
  setWeights(values: readonly (Tensor | TypedArray | Nested)[]): void {
    setWeights(this.handle, weightsOf(this), values);
  }

  /**
   * Adds a weight. Call it in `build` or in the constructor. Without a name it is called variable,
   * variable_1, …, as in Keras.
   */
  addWeight(options: WeightOptions = {}): Variable {
    const { index, name, shape } = addWeight(this.handle, options);
    return variableAt(new Place(this, index, name, shape));
  }

  /** Number of parameters: the elements of all weights. */
  countParams(): number {
    return sum(this.weights.map(({ shape }) => elementCount(shape)));
  }

  /** Resets the states of stateful layers to zeros. */
  resetState(): void {
    unwrap(native().layerResetState(this.handle));
  }
  /** Keras 2's name of {@link resetState}. */
  resetStates(): void {
    this.resetState();
  }

  /**
   * States that a stateful recurrent layer keeps, as new tensors; of Bidirectional, those of both
   * directions. Null for other layers, and until the number of rows is known.
   */
  get states(): Tensor[] | null {
    const states = unwrap(native().layerStates(this.handle));
    return states?.map((handle) => wrapTensor(handle)) ?? null;
  }
  // A custom layer may have a property of its own with this name.
  set states(value: unknown) {
    define(this, 'states', value, true);
  }

  /** Whether the layer is neither disposed nor part of a wasm instance that is gone. @internal */
  protected get isAlive(): boolean {
    return this.#handle !== null && isCurrent(this.#owner);
  }

  /** Frees the weights, unless another layer uses this one. Calling it twice is allowed. */
  dispose(): void {
    if (this.isAlive) forget(this.handle, this);
    addedLosses.supplied?.forget(this);
    this.#handle = null;
    this.#heldLayers = [];
  }
  /** Calls `dispose()`; for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Runs a user-defined `build`. @internal */
  runBuild(shape: Shape | Shape[]): void {
    if (!this.#build) return;
    checkFunction(this.#build, `build of ${this.className}`);
    const build = () => this.#build?.(shape as never) as unknown;
    checkSynchronous(runningIn(this, 'build', build), `build() of ${this.className}`);
  }
  /** @internal */
  get [kInputCount](): number {
    return 1;
  }
  /** Custom layers inside, which are kept alive for the core. @internal */
  get heldLayers(): readonly object[] {
    return this.#heldLayers;
  }
  /**
   * Layers of a custom layer: those in properties, also in lists, dictionaries, maps and sets, then
   * those that it has used without a property. @internal
   */
  ownLayers(): Layer[] {
    const values = [...Object.values(this), ...adoptedBy(this)];
    return instancesInside<Layer>(values, Layer);
  }
}

/** Returns the handle of a layer. Throws ValueError for another value. @internal */
export const handleOf = (layer: unknown): NativeLayer =>
  layer instanceof Layer ? layer.handle : refuse('a layer', 'an object of Layer', layer);

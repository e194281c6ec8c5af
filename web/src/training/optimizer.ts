// SPDX-License-Identifier: MIT
// Optimizers as JavaScript sees them. Their formulas and their state are in the core,
// `src/training`.
import { Identity } from '../base/identity.js';
import { type Brand, brand, kBrand } from '../base/brand.js';
import { checkOptions, checkList, refuse } from '../base/check.js';
import { StateError, ValueError } from '../base/errors.js';
import { kInspect } from '../base/inspect.js';
import { kSentConfig } from '../base/brand.js';
import { checkOwner, Finalizer, isCurrent, native, unwrap } from '../engine/engine.js';
import type { ConfigValue } from '../engine/config_value.js';
import type { NativeOptimizer, NativeTensor } from '../engine/native.js';
import { guard } from '../layers/host.js';
import type { WeightInfo } from '../layers/layer_config.js';
import { Variable } from '../layers/variable.js';
import { multiply } from '../ops/ops.gen.js';
import { dtypes } from '../tensor/elements.js';
import { type DType, isTensor, type Tensor, wrapTensor } from '../tensor/tensor.js';
import { type Configured, type LearningRate, settingsWith, trainingCore } from './configured.js';
import { patternSearch } from './pattern.js';

/** A variable in which an optimizer keeps its state. */
export interface OptimizerVariable {
  /** Name of the variable. */
  readonly name: string;
  /** Name with the name of the optimizer. */
  readonly path: string;
  /** Sizes of the axes, outermost first. */
  readonly shape: readonly number[];
  /** Element type. */
  readonly dtype: DType;
  /** Current value, as a new tensor. */
  readonly value: Tensor;
}

// Frees optimizers that are collected without dispose().
const collected = new Finalizer<NativeOptimizer>((handle, module) => module.optimizerFree(handle));

/** Returns layer and index of each variable, for the core. */
function placesOf(variables: readonly (Variable | WeightInfo)[]): number[] {
  checkList(variables, 'the variables of an optimizer');
  return variables.flatMap((variable: unknown) => {
    if (!(variable instanceof Variable))
      refuse('a variable', 'one of trainableVariables', variable);
    const { layer, index } = variable.owner;
    return [layer, index];
  });
}

function rateOf(f: (step: number) => number, step: number): number {
  const rate: unknown = f(step);
  if (typeof rate === 'number' && Number.isFinite(rate)) return rate;
  return refuse('the result of the function for the learning rate', 'a finite number', rate);
}

/**
 * Updates variables by their gradients, with the formulas of Keras. Create one with
 * `optimizers.adam({ … })`. The state of a variable belongs to that variable, at any place in the
 * list of variables.
 */
export class Optimizer extends Identity {
  #handle: NativeOptimizer | null;
  readonly #owner = native();
  #function: ((step: number) => number) | null = null;
  // Cached, because asking the core takes as long as a small step.
  #built = false;
  #lossScale: number | undefined;

  /** @internal */
  constructor(className: string, settings: object = {}) {
    super();
    const { config, rate } = settingsWith(className, settings, optimizerConfig);
    this.#handle = unwrap(trainingCore().optimizerCreate({ class_name: className, config }));
    collected.register(this, this.#handle);
    if (rate) this.learningRate = rate;
  }

  /** @internal */
  get [kBrand](): Brand {
    return brand('optimizer');
  }
  /** The handle. Throws StateError after `dispose()`. */
  get #native(): NativeOptimizer {
    if (this.#handle === null) {
      throw new StateError('this optimizer was disposed of; make a new one', 'ERR_DISPOSED');
    }
    checkOwner(this.#owner, 'optimizer');
    return this.#handle;
  }
  get #info() {
    return unwrap(native().optimizerInfo(this.#native));
  }

  /** Class name, as in Keras. */
  get className(): string {
    return this.#info.className;
  }
  /** Name of the optimizer. */
  get name(): string {
    return this.#info.name;
  }
  /** Whether the optimizer has its variables. */
  get built(): boolean {
    if (this.#handle === null || !this.#built) this.#built = this.#info.built;
    return this.#built;
  }
  /** Class and name: `<Adam name=adam>`. */
  override toString(): string {
    if (this.#handle === null) return '<Optimizer, disposed>';
    if (!isCurrent(this.#owner)) return '<Optimizer of a lost wasm instance>';
    return `<${this.className} name=${this.name}>`;
  }
  /** @internal */
  override [kInspect](): string {
    return String(this);
  }
  /** Number of updates so far. */
  get iterations(): number {
    return this.#info.iterations;
  }
  /** Factor of the loss before differentiation. */
  get lossScale(): number {
    if (this.#lossScale !== undefined && !this.isDisposed) return this.#lossScale;
    const { className, lossScale } = this.#info;
    // Caches the scale for other classes, for which it is a setting that does not change.
    if (className !== 'LossScaleOptimizer') this.#lossScale = lossScale;
    return lossScale;
  }

  /**
   * Learning rate of the next step. Set it to a number, a schedule or a function of the step.
   * Throws ValueError if the function does not return a finite number.
   */
  get learningRate(): number {
    const { learningRate, steps } = this.#info;
    return this.#function ? rateOf(this.#function, steps) : learningRate;
  }
  set learningRate(rate: LearningRate) {
    if (typeof rate === 'function') {
      const now = rateOf(rate, this.#info.steps);
      unwrap(native().optimizerSetRate(this.#native, { function: now }));
      this.#function = rate;
      return;
    }
    unwrap(native().optimizerSetRate(this.#native, rate as ConfigValue));
    this.#function = null;
  }
  /** The function of the learning rate, if there is one. @internal */
  get rateFunction(): ((step: number) => number) | null {
    return this.#function;
  }

  /**
   * Creates the state for these variables. Call it once; otherwise the first `apply` does it.
   * Throws StateError if it is already built.
   */
  build(variables: readonly (Variable | WeightInfo)[]): void {
    const places = placesOf(variables);
    const paths = variables.map(({ path }) => path);
    const search = patternSearch();
    const matches = (pattern: string, path: string) => guard(() => search(pattern, path));
    unwrap(native().optimizerBuild(this.#native, places, paths, matches));
  }

  /**
   * Takes one step. A variable whose gradient is null does not change, not even by weight decay.
   * All variables must be among those that the optimizer was built for.
   *
   * Throws ShapeError for a gradient of another shape. A step that fails changes nothing.
   */
  apply(
    gradients: readonly (Tensor | null)[],
    variables: readonly (Variable | WeightInfo)[],
  ): void {
    checkList(gradients, 'gradients');
    const places = placesOf(variables);
    const handles = gradients.map((gradient: unknown): NativeTensor | null => {
      if (gradient === null || gradient === undefined) return null;
      return isTensor(gradient)
        ? gradient.handle
        : refuse('a gradient', 'a tensor or null', gradient);
    });
    const rate = this.#function && rateOf(this.#function, this.#info.steps);
    if (!this.built) this.build(variables);
    if (rate !== null) unwrap(native().optimizerSetRate(this.#native, { function: rate }));
    unwrap(native().optimizerApply(this.#native, handles, places));
  }

  /**
   * Returns the loss times {@link lossScale}, to be differentiated: a new tensor, or the loss
   * itself.
   */
  scaleLoss(loss: Tensor): Tensor {
    const scale = this.lossScale;
    return scale === 1 ? loss : multiply(loss, scale);
  }

  /** Ends training: with `useEma`, sets the variables to their averages. */
  finalizeVariableValues(variables: readonly Variable[]): void {
    unwrap(native().optimizerFinalize(this.#native, placesOf(variables)));
  }

  /**
   * Excludes weights from decay whose name (not path) matches one of the regular expressions. Call
   * it before `build`. The expressions have Python's syntax.
   *
   * Throws ConfigError for lookaround and backreferences, and ValueError for flags.
   *
   * @param options.names Texts or expressions.
   */
  excludeFromWeightDecay(options: { names: readonly (string | RegExp)[] }): void {
    const { names } = checkOptions(options, { names: 1 });
    checkList(names, 'names');
    const patterns = names.map((name: unknown) => {
      if (name instanceof RegExp) {
        if (!/[iyms]/.test(name.flags)) return name.source;
        throw new ValueError(`${name} has flags; write the expression without them`);
      }
      if (typeof name !== 'string')
        return refuse('a name', 'a string or a regular expression', name);
      return name;
    });
    const search = patternSearch();
    for (const pattern of patterns) search(pattern, '');
    unwrap(native().optimizerExclude(this.#native, patterns));
  }

  /**
   * State of the optimizer, in Keras's order: the iteration, the learning rate (unless a schedule
   * sets it), then the state of each variable.
   */
  get variables(): OptimizerVariable[] {
    const read = (i: number) => wrapTensor(unwrap(native().optimizerGetWeight(this.#native, i)));
    return unwrap(native().optimizerVariables(this.#native)).map(
      ({ name, path, shape, dtype }, i) => ({
        name,
        path,
        shape: shape as number[],
        dtype: dtypes[dtype] as DType,
        get value() {
          return read(i);
        },
      }),
    );
  }
  /** Returns the values of `variables` as new tensors. */
  getWeights(): Tensor[] {
    return unwrap(native().optimizerGetWeights(this.#native)).map((handle) => wrapTensor(handle));
  }
  /** Sets all `variables`, in their order. Throws ShapeError if a shape differs. */
  setWeights(values: readonly Tensor[]): void {
    checkList(values, 'the argument of setWeights');
    const handles = values.map((value: unknown) =>
      isTensor(value) ? value.handle : refuse('a value', 'a tensor', value),
    );
    unwrap(native().optimizerSetWeights(this.#native, handles));
  }

  /**
   * Returns the settings in Keras's form, with a number in place of a function of the learning
   * rate.
   */
  getConfig(): { [key: string]: ConfigValue } {
    return this.serialize().config;
  }
  /**
   * Returns `{ module, class_name, config, registered_name }`, from which `optimizers.deserialize`
   * creates an equal optimizer.
   */
  serialize(): Configured {
    const serialized = unwrap(native().optimizerSerialize(this.#native));
    if (this.#function) serialized.config['learning_rate'] = this.learningRate;
    return serialized;
  }
  /** @internal */
  [kSentConfig](): object {
    if (!this.#function) return this.serialize();
    throw new ValueError(
      'the learning rate of the optimizer is a function, which cannot be sent to a worker; pass one of schedules, such as schedules.exponentialDecay(0.1, 1000, 0.96), or open a worker of your own that calls serve()',
    );
  }
  /** The result of {@link serialize}, for JSON.stringify. */
  toJSON(): unknown {
    return this.serialize();
  }

  /** Whether `dispose()` was called. */
  get isDisposed(): boolean {
    return this.#handle === null;
  }
  /** Frees the state. Calling it twice is allowed. */
  dispose(): void {
    const handle = this.#handle;
    if (handle === null) return;
    this.#handle = null;
    collected.unregister(this);
    if (isCurrent(this.#owner)) this.#owner.optimizerFree(handle);
  }
  /** Calls `dispose()`; for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** Converts an optimizer in the settings of another one. */
const optimizerConfig = (value: unknown) =>
  value instanceof Optimizer
    ? { config: value.serialize() as ConfigValue, rate: value.rateFunction }
    : undefined;

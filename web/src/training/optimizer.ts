// SPDX-License-Identifier: MIT
import { type Brand, brand, kBrand } from '../base/brand.js';
import { checkOptions, checkList, refuse } from '../base/check.js';
import { StateError, ValueError } from '../base/errors.js';
import { checkOwner, Finalizer, isCurrent, native, unwrap } from '../engine/engine.js';
import type { ConfigValue } from '../engine/config_value.js';
import type { NativeOptimizer, NativeTensor } from '../engine/native.js';
import { guard } from '../layers/host.js';
import { Variable } from '../layers/variable.js';
import { multiply } from '../ops/ops.gen.js';
import { dtypes } from '../tensor/elements.js';
import { type DType, isTensor, type Tensor, wrapTensor } from '../tensor/tensor.js';
import { type Configured, type LearningRate, settingsWith } from './configured.js';
import { patternSearch } from './pattern.js';

/** A variable in which an optimizer keeps its state. */
export interface OptimizerVariable {
  readonly name: string;
  readonly path: string;
  readonly shape: readonly number[];
  readonly dtype: DType;
  /** The value now; the tensor is yours. */
  readonly value: Tensor;
}

// For optimizers that nobody disposes of.
const lost = new Finalizer<NativeOptimizer>((handle, module) => module.optimizerFree(handle));

/** Own weights of layers, as the core finds them. */
function placesOf(variables: readonly Variable[]): number[] {
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
  return refuse('what the function for the learning rate gave', 'a finite number', rate);
}

/**
 * Changes variables by their gradients, by Keras's rules: `optimizers.adam({ … })` makes one. What it remembers of a
 * variable belongs to that variable, wherever it stands in the list.
 */
export class Optimizer {
  #handle: NativeOptimizer | null;
  readonly #owner = native();
  #function: ((step: number) => number) | null = null;
  // (Asking for what does not change any more takes as long as a small step.)
  #built = false;
  #lossScale: number | undefined;

  /** @internal */
  constructor(className: string, settings: object = {}) {
    const { config, rate } = settingsWith(className, settings, optimizerConfig);
    this.#handle = unwrap(native().optimizerCreate({ class_name: className, config }));
    lost.register(this, this.#handle);
    if (rate) this.learningRate = rate;
  }

  /** @internal */
  get [kBrand](): Brand {
    return brand('optimizer');
  }
  /** As the core knows it. */
  get #native(): NativeOptimizer {
    if (this.#handle === null) {
      throw new StateError('this optimizer was disposed of; make a new one');
    }
    checkOwner(this.#owner, 'optimizer');
    return this.#handle;
  }
  get #info() {
    return unwrap(native().optimizerInfo(this.#native));
  }

  /** Keras's name of the class. */
  get className(): string {
    return this.#info.className;
  }
  get name(): string {
    return this.#info.name;
  }
  /** Has it variables? */
  get built(): boolean {
    if (this.#handle === null || !this.#built) this.#built = this.#info.built;
    return this.#built;
  }
  /** Updates that were made. */
  get iterations(): number {
    return this.#info.iterations;
  }
  /** What the loss is to be multiplied by before its gradients are taken. */
  get lossScale(): number {
    if (this.#lossScale !== undefined && !this.isDisposed) return this.#lossScale;
    const { className, lossScale } = this.#info;
    // That of the others is a setting.
    if (className !== 'LossScaleOptimizer') this.#lossScale = lossScale;
    return lossScale;
  }

  /** That of the next step. Set to a number, a schedule or a function of the step. */
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
  /** The function that the learning rate follows. @internal */
  get rateFunction(): ((step: number) => number) | null {
    return this.#function;
  }

  /** Makes the state for these variables. Once; the first `apply` does it otherwise. */
  build(variables: readonly Variable[]): void {
    const places = placesOf(variables);
    const paths = variables.map(({ path }) => path);
    const search = patternSearch();
    const matches = (pattern: string, path: string) => guard(() => search(pattern, path));
    unwrap(native().optimizerBuild(this.#native, places, paths, matches));
  }

  /**
   * One step. A variable whose gradient is null stays as it is, weight decay included; all must be among those that the optimizer
   * was built for. ShapeError for a gradient of another shape; what fails changes nothing.
   */
  apply(gradients: readonly (Tensor | null)[], variables: readonly Variable[]): void {
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

  /** The loss times {@link lossScale}: what to differentiate. A tensor of your own, or the loss itself. */
  scaleLoss(loss: Tensor): Tensor {
    const scale = this.lossScale;
    return scale === 1 ? loss : multiply(loss, scale);
  }

  /** Ends training: with `useEma` the variables become their averages. */
  finalizeVariableValues(variables: readonly Variable[]): void {
    unwrap(native().optimizerFinalize(this.#native, placesOf(variables)));
  }

  /**
   * Weights whose name (not the path) one of the regular expressions matches do not decay. Call it before `build`. The
   * expressions are read as Python reads them; lookaround, backreferences and flags are not supported (ConfigError).
   */
  excludeFromWeightDecay(options: { names: readonly (string | RegExp)[] }): void {
    const { names } = checkOptions(options, { names: 1 });
    checkList(names, 'names');
    const patterns = names.map((name: unknown) => {
      if (name instanceof RegExp) {
        if (!/[iyms]/.test(name.flags)) return name.source;
        throw new ValueError(`${name} has flags; write the expression so that it needs none`);
      }
      if (typeof name !== 'string')
        return refuse('a name', 'a string or a regular expression', name);
      return name;
    });
    const search = patternSearch();
    for (const pattern of patterns) search(pattern, '');
    unwrap(native().optimizerExclude(this.#native, patterns));
  }

  /** Where it keeps its state, in Keras's order: the iteration, the learning rate unless a schedule gives it, then what belongs to variables. */
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
  /** Values of `variables`; the tensors are yours. */
  getWeights(): Tensor[] {
    return this.variables.map(({ value }) => value);
  }
  /** Sets all `variables`, in their order. */
  setWeights(values: readonly Tensor[]): void {
    checkList(values, 'what setWeights takes');
    const handles = values.map((value: unknown) =>
      isTensor(value) ? value.handle : refuse('a value', 'a tensor', value),
    );
    unwrap(native().optimizerSetWeights(this.#native, handles));
  }

  /** The settings, in Keras's form. A function for the learning rate is in it as the number that it gives now. */
  getConfig(): { [key: string]: ConfigValue } {
    return this.serialize().config;
  }
  /** `{ module, class_name, config, registered_name }`, from which `optimizers.deserialize` makes an equal one. */
  serialize(): Configured {
    const serialized = unwrap(native().optimizerSerialize(this.#native));
    if (this.#function) serialized.config['learning_rate'] = this.learningRate;
    return serialized;
  }

  get isDisposed(): boolean {
    return this.#handle === null;
  }
  /** Gives the memory of the state back. Twice is fine. */
  dispose(): void {
    const handle = this.#handle;
    if (handle === null) return;
    this.#handle = null;
    lost.unregister(this);
    if (isCurrent(this.#owner)) this.#owner.optimizerFree(handle);
  }
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** What stands for an optimizer inside the settings of another one. */
const optimizerConfig = (value: unknown) =>
  value instanceof Optimizer
    ? { config: value.serialize() as ConfigValue, rate: value.rateFunction }
    : undefined;

// SPDX-License-Identifier: MIT
import { isPlain, checkOptions, refuse } from '../base/check.js';
import { ConfigError, StateError } from '../base/errors.js';
import { warn } from '../base/visible.js';
import type { LayerInputs, LayerOutputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import type { Variable } from '../layers/variable.js';
import type { ConfigValue } from '../engine/config_value.js';
import type { Measured } from '../measures/evaluation.js';
import type { CompileOptions, ModelOptimizer } from '../model/train_options.js';
import type { Tensor } from '../tensor/tensor.js';
import { TrainedObjective } from './trained_objective.js';
import { get as optimizerOf } from './optimizers.js';
import { checkLossWeights } from './numbers.js';
import { measuredBy } from './configurations.js';
import { applyWithPenalties, penaltyOf, regularizedWeights } from './regularizers.js';
import { listVariables } from './variables.js';

/** What `compile` was told of a model. */
export class Compiled {
  readonly optimizer: ModelOptimizer;
  readonly objective: TrainedObjective;
  readonly measured: Measured;
  /** Those that were trainable then. */
  #variables: Variable[] | undefined;
  #regularized: { variable: Variable; regularizer: ConfigValue }[] | undefined;
  /** Made here, and given back with the model. */
  readonly #owned: boolean;
  /** Is `fit` running? */
  busy = false;
  /** What layers warned of, masks that they drop above all, since `compile` or since `fit` began. */
  readonly warned = new Set<string>();

  constructor(
    readonly model: Layer,
    readonly options: CompileOptions,
  ) {
    const { optimizer = 'rmsprop', ...measured } = options;
    this.measured = measuredBy(measured);
    this.objective = new TrainedObjective(model, this.measured);
    this.optimizer = optimizerOf(optimizer as never);
    this.#owned = this.optimizer !== optimizer;
  }

  /** Of the model, which is built by now; the optimizer has its own for them. */
  variables(): readonly Variable[] {
    if (!this.#variables) {
      const variables = this.model.trainableVariables;
      // (One that trained a model before goes on.)
      if (!this.optimizer.built) this.optimizer.build(variables);
      this.#variables = variables;
    }
    return this.#variables;
  }

  /** Calls the model; `penalties` are what its regularizers say. */
  apply(inputs: LayerInputs, training: boolean): { outputs: LayerOutputs; penalties: Tensor[] } {
    const { outputs, penalties } = applyWithPenalties(this.model, inputs, training, this.warned);
    const onWeights = this.#weights().map(({ variable, regularizer }) =>
      penaltyOf(regularizer, variable.value),
    );
    return { outputs, penalties: [...penalties, ...onWeights] };
  }

  #weights(): readonly { variable: Variable; regularizer: ConfigValue }[] {
    if (!this.#regularized) {
      const found: { variable: Variable; regularizer: ConfigValue }[] = [];
      regularizedWeights(this.model.handle, (handle, place, regularizer) => {
        found.push({ variable: listVariables({ handle })[place] as Variable, regularizer });
      });
      this.#regularized = found;
    }
    return this.#regularized;
  }

  /** Says where nothing can be trained, and that layers which were made trainable, or not, since then are not heard of. */
  adviseTrainable(): void {
    const now = this.model.trainableVariables;
    const then = this.#variables;
    if (now.length === 0 && this.model.built) {
      warn(`'${this.model.name}' has no trainable weights`);
    }
    if (!then || (now.length === then.length && now.every((one, i) => one === then[i]))) return;
    warn(
      `'${this.model.name}' has ${now.length} trainable weights, but was compiled with ${then.length}: a change of 'trainable' needs compile() again`,
    );
  }

  dispose(): void {
    if (this.#owned) this.optimizer.dispose();
  }
}

type Compilable = Layer & { compiled?: Compiled };

export function compile(model: Layer, given: CompileOptions): void {
  const options = checkOptions(given, {
    optimizer: 1,
    loss: 1,
    lossWeights: 1,
    metrics: 1,
    weightedMetrics: 1,
  });
  for (const name of ['metrics', 'weightedMetrics'] as const) {
    const value: unknown = options[name];
    if (value === undefined || value === null || Array.isArray(value) || isPlain(value)) continue;
    refuse(name, "a list or a dictionary: ['accuracy']", value, ConfigError);
  }
  checkLossWeights(options.lossWeights);
  const before = (model as Compilable).compiled;
  if (before?.busy) {
    throw new StateError(
      `'${model.name}' is being trained; compile it before fit, or when fit has ended`,
    );
  }
  const { handle: _ } = model;
  const value = new Compiled(model, { ...options });
  Object.defineProperty(model, 'compiled', { value, configurable: true });
  before?.dispose();
}

/** What `method` needs. */
export function compiledOf(model: Layer, method: string): Compiled {
  const { handle: _ } = model;
  const { compiled } = model as Compilable;
  if (compiled) return compiled;
  throw new StateError(
    `'${model.name}' is not compiled: call compile({ optimizer, loss }) before ${method}`,
  );
}

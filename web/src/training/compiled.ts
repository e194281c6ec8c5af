// SPDX-License-Identifier: MIT
import { isPlain, checkOptions, refuse } from '../base/check.js';
import { ConfigError, StateError } from '../base/errors.js';
import { warn } from '../base/visible.js';
import type { LayerInputs, LayerOutputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import { valuesInside } from '../layers/layer_values.js';
import type { Variable } from '../layers/variable.js';
import type { ConfigValue } from '../engine/config_value.js';
import type { Evaluation, Measured } from '../measures/evaluation.js';
import type { CompileOptions, Logs, ModelMetric, ModelOptimizer } from '../model/train_options.js';
import type { Tensor } from '../tensor/tensor.js';
import { Objective } from './objective.js';
import { get as optimizerOf } from './optimizers.js';
import { checkLossWeights } from './numbers.js';
import { measuredBy } from './configurations.js';
import { applyWithPenalties, penaltyOf, regularizedWeights } from './regularizers.js';
import { resultsOf, trackedMetrics, usualMetrics } from './tracked_metrics.js';
import { listVariables } from './variables.js';

/** Optimizer, losses and metrics of a compiled model. */
export class Compiled {
  readonly optimizer: ModelOptimizer;
  readonly objective: Objective;
  readonly measured: Measured;
  /** Variables that were trainable when training began. */
  #variables: Variable[] | undefined;
  #regularized: { variable: Variable; regularizer: ConfigValue }[] | undefined;
  /** Whether the optimizer was created here and is disposed of with the model. */
  readonly #ownsOptimizer: boolean;
  /** Whether `fit` is running. */
  isBusy = false;
  #metrics: ModelMetric[] | undefined;
  /** Warnings of layers, mostly of dropped masks, since `compile` or the start of `fit`. */
  readonly warned = new Set<string>();
  /** Logs of the last batch, of a class that overrides the step; null for the usual step. */
  logs: Logs | null = null;

  constructor(
    readonly model: Layer,
    readonly options: CompileOptions,
  ) {
    const { optimizer = 'rmsprop', ...measured } = options;
    this.measured = measuredBy(measured);
    this.objective = new Objective(model, this.measured);
    this.optimizer = optimizerOf(optimizer as never);
    this.#ownsOptimizer = this.optimizer !== optimizer;
  }

  /** Trainable variables of the model, which must be built. Builds the optimizer for them. */
  variables(): readonly Variable[] {
    if (!this.#variables) {
      const variables = this.model.trainableVariables;
      // An optimizer that trained a model before keeps its state.
      if (!this.optimizer.built) this.optimizer.build(variables);
      this.#variables = variables;
    }
    return this.#variables;
  }

  /** Calls the model. `penalties` are those of its regularizers. */
  apply(inputs: LayerInputs, training: boolean): { outputs: LayerOutputs; penalties: Tensor[] } {
    const { outputs, penalties } = applyWithPenalties(this.model, inputs, training, this.warned);
    const onWeights = this.#regularizedWeights().map(({ variable, regularizer }) =>
      penaltyOf(regularizer, variable.value),
    );
    return { outputs, penalties: [...penalties, ...onWeights] };
  }

  #regularizedWeights(): readonly { variable: Variable; regularizer: ConfigValue }[] {
    if (!this.#regularized) {
      const regularized: { variable: Variable; regularizer: ConfigValue }[] = [];
      regularizedWeights(this.model.handle, (handle, index, regularizer) => {
        regularized.push({ variable: listVariables({ handle })[index] as Variable, regularizer });
      });
      this.#regularized = regularized;
    }
    return this.#regularized;
  }

  /** Warns if nothing can be trained, or if `trainable` of a layer has changed since `compile`. */
  adviseTrainable(): void {
    const now = this.model.trainableVariables;
    const then = this.#variables;
    if (now.length === 0 && this.model.built) {
      warn(`'${this.model.name}' has no trainable weights`);
    }
    if (!then || (now.length === then.length && now.every((variable, i) => variable === then[i])))
      return;
    warn(
      `'${this.model.name}' has ${now.length} trainable weights, but was compiled with ${then.length}; call compile() again after a change of 'trainable'`,
    );
  }

  /** Metrics as Keras lists them: the mean of losses, those of compile(), and tracked ones. */
  get metrics(): ModelMetric[] {
    this.#metrics ??= usualMetrics(this.objective, this.#tracked());
    return this.#metrics;
  }

  /** Metrics in properties of custom layers and models, without those of compile(). */
  #tracked(): ReturnType<typeof trackedMetrics> {
    const { metrics, weightedMetrics } = this.measured;
    const chosen = new Set(valuesInside([metrics, weightedMetrics]));
    return trackedMetrics(this.model).filter((metric) => !chosen.has(metric));
  }

  /** Forgets the batches. */
  reset(): void {
    this.logs = null;
    this.#metrics = undefined;
    this.objective.reset();
    const { metrics } = this.model as Layer & { readonly metrics?: unknown };
    for (const metric of Array.isArray(metrics) ? metrics : []) metric?.resetState?.();
  }

  /** Losses and metrics since the last reset. */
  results(): Evaluation {
    const tracked = this.metrics.slice(2);
    return this.logs ?? { ...resultsOf(tracked), ...this.objective.results() };
  }

  dispose(): void {
    if (this.#ownsOptimizer) this.optimizer.dispose();
  }
}

type Compilable = Layer & { compiled?: Compiled };

/** See `compile` of Model. */
export function compile(model: Layer, settings: CompileOptions): void {
  const options = checkOptions(settings, {
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
  if (before?.isBusy) {
    throw new StateError(
      `'${model.name}' is being trained; call compile() before fit, or after it has ended`,
    );
  }
  const { handle: _ } = model;
  const value = new Compiled(model, { ...options });
  Object.defineProperty(model, 'compiled', { value, configurable: true });
  before?.dispose();
}

/** Returns what `compile` set. Throws StateError, with the name of `method`, before `compile`. */
export function compiledOf(model: Layer, method: string): Compiled {
  const { handle: _ } = model;
  const { compiled } = model as Compilable;
  if (compiled) return compiled;
  throw new StateError(
    `'${model.name}' is not compiled; call compile({ optimizer, loss }) before ${method}`,
  );
}

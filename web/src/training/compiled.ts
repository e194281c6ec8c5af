// SPDX-License-Identifier: MIT
// The state that `compile` adds to a model as its property `compiled`: everything that `fit`,
// `evaluate` and the steps of user-defined classes share.
import { checkOptions, checkSynchronous, isPlain, refuse } from '../base/check.js';
import { ConfigError, StateError } from '../base/errors.js';
import { warn } from '../base/visible.js';
import type { LayerInputs, LayerOutputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import { valuesInside } from '../layers/layer_values.js';
import type { Variable } from '../layers/variable.js';
import type { ConfigValue } from '../engine/config_value.js';
import type { Evaluation, Measured } from '../measures/evaluation.js';
import { builtFor } from '../model/built_for.js';
import type { CompileOptions, Logs, ModelMetric, ModelOptimizer } from '../model/train_options.js';
import type { Trainable } from '../model/trainable.js';
import type { Tensor } from '../tensor/tensor.js';
import { rememberFlags } from './compiled_flags.js';
import { type Kept, Objective } from './objective.js';
import { get as optimizerOf } from './optimizers.js';
import { checkLossWeights } from './numbers.js';
import { measuredBy } from './configurations.js';
import { ownMetrics } from './overrides.js';
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
  #tracked: ReturnType<typeof trackedMetrics> | undefined;
  /** Losses of layers in the call of a usual step; null outside of one. */
  penalties: readonly Tensor[] | null = null;
  /** Logs of the last batch, of a class that overrides the step; null for the usual step. */
  logs: Logs | null = null;

  constructor(
    readonly model: Layer,
    /** Options of this `compile`: a file and a clone have these, as in Keras. */
    readonly options: CompileOptions,
    before?: Compiled,
  ) {
    const { optimizer = 'rmsprop', ...chosen } = options;
    const { measured, kept } = withEarlier(measuredBy(chosen), before);
    this.measured = measured;
    this.objective = new Objective(model, measured, kept);
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
      rememberFlags(this);
    }
    return this.#variables;
  }

  /** Calls the model. `penalties` are those of its regularizers. */
  apply(inputs: LayerInputs, training: boolean): { outputs: LayerOutputs; penalties: Tensor[] } {
    const { outputs, penalties } = applyWithPenalties(this.model, inputs, training);
    // A Sequential without an Input has the shape of its first batch in files.
    this.model.builtFor ??= builtFor(this.model, inputs);
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

  /** Runs `f`, in which `computeLoss` of the base class adds these losses of layers. */
  during<T>(penalties: readonly Tensor[], f: () => T): T {
    const outer = this.penalties;
    this.penalties = penalties;
    try {
      return f();
    } finally {
      this.penalties = outer;
    }
  }

  /** Metrics as Keras lists them: means of losses, those of compile(), and tracked ones. */
  get metrics(): ModelMetric[] {
    return usualMetrics(this.objective, this.#trackedMetrics());
  }

  /** Metrics in properties of custom layers and models, without those of compile(). */
  #trackedMetrics(): ReturnType<typeof trackedMetrics> {
    const { metrics, weightedMetrics } = this.measured;
    const chosen = new Set(valuesInside([metrics, weightedMetrics]));
    this.#tracked ??= trackedMetrics(this.model).filter((metric) => !chosen.has(metric));
    return this.#tracked;
  }

  /** Forgets the batches. */
  reset(): void {
    this.logs = null;
    this.#tracked = undefined;
    this.objective.reset();
    for (const metric of ownMetrics(this.model) ?? this.#trackedMetrics()) metric.resetState();
  }

  /** Losses and metrics since the last reset. */
  running(): Evaluation {
    return { ...this.objective.results(), ...resultsOf(this.#trackedMetrics() as ModelMetric[]) };
  }

  /** Logs of the last batch; without a step or hooks of a class, those since the last reset. */
  batchLogs(): Evaluation {
    return this.logs ?? this.running();
  }

  /**
   * Losses and metrics since the last reset. As in Keras, logs of a class are those of the last
   * batch, unless they have the names of the metrics.
   */
  results(): Evaluation {
    if (!this.logs || !this.objective.mean.isCounted) return this.batchLogs();
    const { model, logs } = this;
    const results = checkSynchronous<Evaluation>(
      (model as Layer & Trainable).getMetricsResult(),
      'getMetricsResult()',
    );
    const names = Object.keys(results);
    const isSame =
      names.length === Object.keys(logs).length && names.every((name) => Object.hasOwn(logs, name));
    return isSame ? results : logs;
  }

  dispose(): void {
    if (this.#ownsOptimizer) this.optimizer.dispose();
  }
}

type Compilable = Layer & { compiled?: Compiled };

const isMissing = (value: unknown): boolean => value === undefined || value === null;

/**
 * Adds the losses and metrics of an earlier `compile`, which stay if, as in Keras, none are new.
 */
function withEarlier(
  chosen: Measured,
  before: Compiled | undefined,
): { measured: Measured; kept: Kept } {
  if (!before) return { measured: chosen, kept: {} };
  const { loss, lossWeights, metrics, weightedMetrics } = before.measured;
  const keepsLoss = isMissing(chosen.loss) && !isMissing(loss);
  if (keepsLoss && !isMissing(chosen.lossWeights)) {
    warn(
      'compile() without a loss keeps the earlier loss and its weights; pass loss again with lossWeights',
    );
  }
  const keepsMetrics = isMissing(chosen.metrics) && isMissing(chosen.weightedMetrics);
  const measured = {
    ...chosen,
    ...(keepsLoss && { loss, lossWeights }),
    ...(keepsMetrics && { metrics, weightedMetrics }),
  } as Measured;
  const { objective } = before;
  const kept = { losses: keepsLoss ? objective : null, metrics: keepsMetrics ? objective : null };
  return { measured, kept };
}

/** See `compile` of Model. */
export function compile(model: Layer, settings: CompileOptions): void {
  if (!isPlain(settings)) {
    const example = "compile({ optimizer: 'adam', loss: 'mse' })";
    refuse('the options of compile', `an object: ${example}`, settings);
  }
  const options = checkOptions<CompileOptions>(settings, {
    optimizer: 1,
    loss: 1,
    lossWeights: 1,
    metrics: 1,
    weightedMetrics: 1,
  });
  for (const [name, value] of Object.entries(options)) {
    if ([value].flat().includes(undefined))
      warn(`compile() ignores '${name}', which contains undefined`);
  }
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
  const value = new Compiled(model, options, before);
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

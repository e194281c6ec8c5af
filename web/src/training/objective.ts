// SPDX-License-Identifier: MIT
// The losses and metrics of `compile` or `evaluate`, matched with the outputs of a model and the
// targets of its batches.
import { sum } from '../base/array.js';
import { checkSynchronous, isPlain } from '../base/check.js';
import { MaskflowError, StateError, ValueError } from '../base/errors.js';
import type { Evaluation, Measured } from '../measures/evaluation.js';
import type { LossFunction, Reduction, Weighting } from '../measures/loss.js';
import { type Metric, resultOf } from '../measures/metric.js';
import type { LossName } from '../measures/names.gen.js';
import type { LayerOutputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import { native, unwrap } from '../engine/engine.js';
import { add, countNonzero, multiply } from '../ops/ops.gen.js';
import { checkNames, choice, chooseLoss, chooseMetrics } from './choices.js';
import { type Batch, type Structure, tensorsByKey } from './data.js';
import { LossMean } from './loss_mean.js';
import { weightsByOutput } from './sample_weights.js';
import { Tensor } from '../tensor/tensor.js';

/** Loss of an output, and its mean. */
interface LossOfOutput {
  readonly loss: LossFunction | null;
  readonly factor: number;
  readonly mean: LossMean;
}

/** Metrics of an output. */
interface MetricsOfOutput {
  /** Begin of the names of their results: the name of the output, if there are several. */
  readonly prefix: string;
  readonly metrics: readonly Metric[];
  readonly weighted: readonly Metric[];
}

/** Loss and metrics of an output, and the mean of its losses. */
export interface Output extends LossOfOutput, MetricsOfOutput {
  readonly name: string;
}

/**
 * Objectives of an earlier `compile` whose losses or metrics stay, as they are, with their means.
 */
export interface Kept {
  readonly losses?: Objective | null;
  readonly metrics?: Objective | null;
}

/** An output of a batch with its targets and their key in y. */
interface Match {
  readonly output: Output;
  readonly key: string;
  readonly index: number;
  readonly yTrue: Tensor;
  readonly yPred: Tensor;
  readonly weighting: Weighting;
}

/** A match with its loss. */
interface Part extends Match {
  readonly loss: Tensor | null;
}

/** Losses and penalties of a batch. */
export interface Cost {
  readonly parts: readonly Part[];
  readonly penalties: readonly Tensor[];
}

/** Name and index of an output, and the number of outputs. */
export interface OutputPlace {
  readonly name: string;
  readonly index: number;
  readonly count: number;
}

/** Runs `f` and puts the name of the output before the messages of errors. */
function inOutput<T>(output: string, f: () => T): T {
  try {
    return f();
  } catch (error) {
    // Outputs without a name have a number.
    if (error instanceof MaskflowError && !/^\d+$/.test(output)) {
      error.message = `output '${output}': ${error.message}`;
    }
    throw error;
  }
}

/** Adds a result. As in Keras, a second metric of a name is `weighted_name`, or `name_1`. */
function addResult(
  results: Map<string, number | number[]>,
  prefix: string,
  name: string,
  value: number | number[],
  isWeighted = false,
): void {
  const isTaken = results.has(prefix + name) && isWeighted;
  const base = isTaken ? `${prefix}weighted_${name}` : prefix + name;
  let key = base;
  for (let i = 1; results.has(key); i++) key = `${base}_${i}`;
  results.set(key, value);
}

/** Sum of losses and penalties, to be differentiated; null without losses and penalties. */
export function totalOf({ parts, penalties }: Cost): Tensor | null {
  const terms = parts.flatMap(({ loss, output: { factor } }) =>
    loss ? [factor === 1 ? loss : multiply(loss, factor)] : [],
  );
  const all = [...terms, ...penalties];
  return all.length > 0 ? all.reduce((total, term) => add(total, term)) : null;
}

const ranksOf = (outputs: LayerOutputs): readonly number[] =>
  Object.values(tensorsByKey(outputs)).map(({ rank }) => rank);

/** Losses and metrics of a model's outputs, and their means over batches. */
export class Objective {
  #names: readonly string[] | undefined;
  /** Whether the model returns a list of outputs. */
  #isList = false;
  readonly #outputs: Output[] = [];
  readonly #losses: LossOfOutput[];
  readonly #metrics: MetricsOfOutput[];
  /** The mean of losses and penalties together. */
  readonly mean = new LossMean('loss');
  /** Sum of the penalties of regularizers, each times the rows of its batch. */
  #penalty = 0;
  #rows = 0;

  constructor(
    readonly model: Layer,
    readonly chosen: Measured & { readonly reduction?: Reduction },
    { losses, metrics }: Kept = {},
  ) {
    this.#losses = losses ? losses.#losses : [];
    this.#metrics = metrics ? metrics.#metrics : [];
  }

  /** Outputs with targets or a loss that batches had so far. */
  get measured(): readonly Output[] {
    return Object.values(this.#outputs);
  }

  /** Forgets the batches. */
  reset(): void {
    this.#penalty = 0;
    this.#rows = 0;
    this.mean.resetState();
    for (const { mean } of Object.values(this.#losses)) mean.resetState();
    this.resetMetrics();
  }

  /** Forgets the batches in the metrics alone. */
  resetMetrics(): void {
    for (const { metrics, weighted } of Object.values(this.#metrics)) {
      for (const metric of [...metrics, ...weighted]) metric.resetState();
    }
  }

  /**
   * Means of the losses of outputs, if several have a loss. As in Keras, a dictionary of losses
   * gives its order to a dictionary of outputs.
   */
  get lossMeans(): readonly LossMean[] {
    const withLoss = Object.values(this.#losses).filter(({ loss }) => loss);
    const means = withLoss.map(({ mean }) => mean);
    const { loss } = this.chosen;
    if (isPlain(loss) && !this.#isList) {
      const names = Object.keys(loss).map((name) => `${name}_loss`);
      means.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
    }
    return means.length > 1 ? means : [];
  }

  /** Whether `compile` or `evaluate` received a loss. */
  get hasLoss(): boolean {
    return (this.chosen.loss ?? null) !== null;
  }

  /** Whether `compile` or `evaluate` received metrics. */
  get hasMetrics(): boolean {
    const { metrics, weightedMetrics } = this.chosen;
    return (metrics ?? weightedMetrics ?? null) !== null;
  }

  /** Names of the outputs in the order of lists of choices: a dictionary is sorted, as in Keras. */
  order(outputs: LayerOutputs): readonly string[] {
    this.#names ??= this.#checkedNames(outputs);
    this.#isList = Array.isArray(outputs);
    return Array.isArray(outputs) ? this.#names : [...this.#names].sort();
  }

  /**
   * Computes the losses of a batch; {@link count} adds it to the means. Leaves out outputs with
   * neither loss nor targets.
   */
  cost(outputs: LayerOutputs, batch: Omit<Batch, 'x'>, penalties: readonly Tensor[]): Cost {
    const parts = this.#match(outputs, batch).map((match): Part => {
      const { output, yTrue, yPred, weighting } = match;
      const compute = () => output.loss?.(yTrue, yPred, weighting) ?? null;
      return { ...match, loss: inOutput(output.name, compute) };
    });
    return { parts, penalties };
  }

  #match(outputs: LayerOutputs, { y, weights }: Omit<Batch, 'x'>): Match[] {
    const order = this.order(outputs);
    const names = this.#names as readonly string[];
    const ofTargets = this.#namesOfTargets(order, y);
    const weightsOf = weightsByOutput(weights, { all: order, ofTargets, ranks: ranksOf(outputs) });
    const keyOf = (name: string, index: number): string => {
      if (y.form === 'list') return `${ofTargets ? ofTargets.indexOf(name) : index}`;
      const isNamed =
        (y.form === 'dictionary' && names.length > 1) || Object.hasOwn(y.values, name);
      return isNamed ? name : (Object.keys(y.values)[index] ?? '');
    };
    return Object.values(tensorsByKey(outputs)).flatMap((yPred, i) => {
      const name = names[i] as string;
      const index = order.indexOf(name);
      const key = keyOf(name, index);
      const yTrue = y.values[key];
      if (!yTrue) {
        if (!choice(this.chosen.loss, name, index)) return [];
        throw new ValueError(`there are no targets for the output '${name}'; add them to y`);
      }
      const sampleWeight = weightsOf(name);
      const weighting = sampleWeight ? { sampleWeight } : {};
      const place = { name, index, count: names.length };
      this.#outputs[i] ??= inOutput(name, () => this.#prepare(i, place, yTrue, yPred));
      const output = this.#outputs[i];
      return [{ output, key, index, yTrue, yPred, weighting }];
    });
  }

  /** Throws ValueError for weights that do not belong to the outputs. */
  checkWeights(outputs: LayerOutputs, { y, weights }: Omit<Batch, 'x'>): void {
    const all = this.order(outputs);
    const ofTargets = this.#namesOfTargets(all, y);
    weightsByOutput(weights, { all, ofTargets, ranks: ranksOf(outputs) });
  }

  /** Names of the outputs of a list of targets, which may skip the outputs without a loss. */
  #namesOfTargets(order: readonly string[], y: Structure): readonly string[] | null {
    const count = Object.keys(y.values).length + (y.absent?.length ?? 0);
    if (y.form !== 'list' || count >= order.length) return null;
    const withLoss = order.filter((name, index) => choice(this.chosen.loss, name, index));
    return withLoss.length === count ? withLoss : null;
  }

  /** Adds a batch of `rows` rows to metrics and means. */
  count(cost: Cost, rows: number): void {
    this.countLosses(cost);
    for (const part of cost.parts) inOutput(part.output.name, () => this.#updateMetrics(part));
    let total = 0;
    for (const { loss, output } of cost.parts) total += loss ? output.factor * loss.item() : 0;
    for (const penalty of cost.penalties) {
      const value = penalty.item();
      this.#penalty += value * rows;
      total += value;
    }
    this.mean.add(total, rows);
    this.#rows += rows;
  }

  /** Adds the losses of a batch to the means of the outputs alone. */
  countLosses({ parts }: Cost): void {
    for (const { output, yPred, loss } of parts) {
      if (!loss) continue;
      const { mask, shape, size } = yPred;
      const steps = mask ? countNonzero(mask).item() : size / (shape.at(-1) || 1);
      // As in Keras, the weight of a batch is its number of rows.
      const isKept = this.chosen.reduction === 'mean_over_kept';
      output.mean.add(loss.item(), isKept ? steps : (shape[0] as number));
    }
  }

  /** Adds a batch to the metrics alone. */
  countMetrics(outputs: LayerOutputs, batch: Omit<Batch, 'x'>): void {
    for (const match of this.#match(outputs, batch)) {
      inOutput(match.output.name, () => this.#updateMetrics(match));
    }
  }

  /** Names of the outputs. As in Keras, these are names of the layers that compute them. */
  #namesOf(outputs: LayerOutputs): readonly string[] {
    const isSingle = outputs instanceof Tensor;
    const names = Object.keys(tensorsByKey(outputs));
    if (this.model.isCustom || !(isSingle || Array.isArray(outputs))) return names;
    // The config of the core, because a class may override getConfig().
    const { output_layers: ends, layers } = unwrap(native().layerGetConfig(this.model.handle)) as {
      output_layers?: unknown;
      layers?: { config?: { name?: unknown } }[];
    };
    if (!isSingle) return Array.isArray(ends) ? ends.map(([name]) => name) : names;
    const name: unknown = Array.isArray(ends) ? ends.flat()[0] : layers?.at(-1)?.config?.name;
    return typeof name === 'string' ? [name] : names;
  }

  #checkedNames(outputs: LayerOutputs): readonly string[] {
    const names = this.#namesOf(outputs);
    const { loss, lossWeights, metrics, weightedMetrics } = this.chosen;
    for (const choices of [loss, lossWeights, metrics, weightedMetrics]) checkNames(choices, names);
    for (const [what, list] of Object.entries({ losses: loss, lossWeights })) {
      if (!Array.isArray(list) || list.length <= names.length) continue;
      throw new ValueError(`there are ${list.length} ${what} but ${names.length} outputs`);
    }
    return names;
  }

  #prepare(i: number, place: OutputPlace, yTrue: Tensor, yPred: Tensor): Output {
    const { name } = place;
    this.#losses[i] ??= this.#prepareLoss(place, yTrue, yPred);
    this.#metrics[i] ??= this.#prepareMetrics(place, yTrue, yPred);
    return { name, ...this.#losses[i], ...this.#metrics[i] };
  }

  #prepareLoss({ name, index }: OutputPlace, yTrue: Tensor, yPred: Tensor): LossOfOutput {
    const { loss, lossWeights, reduction } = this.chosen;
    const lossChoice = choice<LossName | LossFunction>(loss, name, index);
    return {
      loss: lossChoice && chooseLoss(lossChoice, yTrue, yPred, reduction),
      factor: choice<number>(lossWeights, name, index) ?? 1,
      mean: new LossMean(`${name}_loss`),
    };
  }

  #prepareMetrics(place: OutputPlace, yTrue: Tensor, yPred: Tensor): MetricsOfOutput {
    const prepared: MetricsOfOutput = {
      prefix: place.count > 1 ? `${place.name}_` : '',
      metrics: chooseMetrics(this.chosen.metrics, place, yTrue, yPred),
      weighted: chooseMetrics(this.chosen.weightedMetrics, place, yTrue, yPred),
    };
    for (const metric of [...prepared.metrics, ...prepared.weighted]) metric.resetState();
    return prepared;
  }

  #updateMetrics({ output, yTrue, yPred, weighting }: Match): void {
    const update = (metric: Metric, options: Weighting): void => {
      const result: unknown = metric.updateState(yTrue, yPred, options);
      checkSynchronous(result, `updateState() of the metric '${metric.name}'`);
    };
    for (const metric of output.metrics) update(metric, {});
    for (const metric of output.weighted) update(metric, weighting);
  }

  /** Results of all batches since the last reset. */
  results(): Evaluation {
    const penalty = this.#rows === 0 ? 0 : this.#penalty / this.#rows;
    const results = new Map<string, number | number[]>();
    const withLoss = this.measured.filter((output) => output.loss);
    if (this.#rows === 0 && this.chosen.loss) results.set('loss', Number.NaN);
    if (withLoss.length > 0 || penalty !== 0) results.set('loss', this.#loss(penalty, withLoss));
    for (const { name, result } of this.#lossResults()) addResult(results, '', name, result);
    this.#addMetrics(results);
    if (results.size === 0) this.#requireChoice();
    return Object.fromEntries(results);
  }

  /** Mean of the total loss. With `mean_over_kept`, each output counts by its kept steps. */
  #loss(penalty: number, withLoss: readonly Output[]): number {
    // Without a batch, there is no loss. A batch may also have no kept step.
    if (this.#rows === 0) return Number.NaN;
    if (this.chosen.reduction !== 'mean_over_kept') return this.mean.result();
    return sum([penalty, ...withLoss.map(({ factor, mean }) => factor * mean.result())]);
  }

  /** Results of {@link lossMeans}. */
  #lossResults(): { readonly name: string; readonly result: number }[] {
    const ifNone = this.#rows === 0 ? Number.NaN : 0;
    return this.lossMeans.map((mean) => ({
      name: mean.name,
      result: mean.isCounted ? mean.result() : ifNone,
    }));
  }

  /** Results of the metrics alone. */
  metricResults(): Evaluation {
    const results = new Map<string, number | number[]>();
    this.#addMetrics(results);
    return Object.fromEntries(results);
  }

  #addMetrics(results: Map<string, number | number[]>): void {
    for (const kind of ['metrics', 'weighted'] as const) {
      for (const output of Object.values(this.#metrics)) {
        for (const metric of output[kind]) {
          const value = checkSynchronous(
            resultOf(metric),
            `result() of the metric '${metric.name}'`,
          );
          addResult(results, output.prefix, metric.name, value, kind === 'weighted');
        }
      }
    }
  }

  #requireChoice(): void {
    const { loss, metrics, weightedMetrics } = this.chosen;
    for (const chosen of [loss, metrics, weightedMetrics]) {
      if (chosen && Object.values(chosen).length > 0) return;
    }
    throw new StateError(
      `'${this.model.name}' has neither a loss nor metrics to evaluate; compile it with them, or give evaluate() { loss } or { metrics }`,
    );
  }
}

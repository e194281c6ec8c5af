// SPDX-License-Identifier: MIT
import { sum } from '../base/array.js';
import { checkSynchronous } from '../base/check.js';
import { MaskflowError, StateError, ValueError } from '../base/errors.js';
import type { Evaluation, Measured } from '../measures/evaluation.js';
import type { LossFunction, Reduction, Weighting } from '../measures/loss.js';
import type { Metric } from '../measures/metric.js';
import type { LossName } from '../measures/names.gen.js';
import type { LayerOutputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import { native, unwrap } from '../engine/engine.js';
import { countNonzero } from '../ops/ops.gen.js';
import { checkNames, choice, chooseLoss, chooseMetrics } from './choices.js';
import { type Batch, tensorsByKey } from './data.js';
import { Tensor } from '../tensor/tensor.js';

/** Loss and metrics of an output, and the sum of its losses. */
export interface Output {
  readonly name: string;
  readonly loss: LossFunction | null;
  readonly factor: number;
  readonly metrics: readonly Metric[];
  readonly weighted: readonly Metric[];
  /** Sum of the losses of the batches, each times its count. */
  sum: number;
  count: number;
}

/** An output of a batch with its targets, their key in y, and its loss. */
interface Part {
  readonly output: Output;
  readonly key: string;
  readonly index: number;
  readonly yTrue: Tensor;
  readonly yPred: Tensor;
  readonly weighting: Weighting;
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

/** Losses and metrics of a model's outputs, and their means over batches. */
export class Objective {
  #names: readonly string[] | undefined;
  readonly #outputs: Output[] = [];
  /** Sum of the penalties of regularizers, each times the rows of its batch. */
  #penalty = 0;
  #rows = 0;

  constructor(
    readonly model: Layer,
    readonly chosen: Measured & { readonly reduction?: Reduction },
  ) {}

  /** Outputs with targets or a loss that batches had so far. */
  get measured(): readonly Output[] {
    return Object.values(this.#outputs);
  }

  /** Forgets the batches. */
  reset(): void {
    this.#penalty = 0;
    this.#rows = 0;
    for (const output of this.measured) {
      output.sum = 0;
      output.count = 0;
      for (const metric of [...output.metrics, ...output.weighted]) metric.resetState();
    }
  }

  /** Names of the outputs in the order of lists of choices: a dictionary is sorted, as in Keras. */
  order(outputs: LayerOutputs): readonly string[] {
    this.#names ??= this.#checkedNames(outputs);
    return Array.isArray(outputs) ? this.#names : [...this.#names].sort();
  }

  /**
   * Computes the losses of a batch; {@link count} adds it to the means. Leaves out outputs with
   * neither loss nor targets.
   */
  cost(outputs: LayerOutputs, { y, weights }: Batch, penalties: readonly Tensor[]): Cost {
    const order = this.order(outputs);
    const names = this.#names as readonly string[];
    const byName = y.form === 'dictionary' && names.length > 1;
    const keys = Object.keys(y.values);
    const parts: Part[] = [];
    Object.values(tensorsByKey(outputs)).forEach((yPred, i) => {
      const name = names[i] as string;
      const index = order.indexOf(name);
      const key = byName || keys.includes(name) ? name : (keys[index] ?? '');
      const yTrue = y.values[key];
      if (!yTrue) {
        if (!choice(this.chosen.loss, name, index)) return;
        throw new ValueError(`there are no targets for the output '${name}'; add them to y`);
      }
      const sampleWeight = weights.values[name] ?? weights.values[index] ?? weights.values['0'];
      const weighting = sampleWeight ? { sampleWeight } : {};
      inOutput(name, () => {
        this.#outputs[i] ??= this.#prepare({ name, index, count: names.length }, yTrue, yPred);
        const output = this.#outputs[i];
        const loss = output.loss?.(yTrue, yPred, weighting) ?? null;
        parts.push({ output, key, index, yTrue, yPred, weighting, loss });
      });
    });
    return { parts, penalties };
  }

  /** Adds a batch of `rows` rows to metrics and means. */
  count({ parts, penalties }: Cost, rows: number): void {
    for (const part of parts) inOutput(part.output.name, () => this.#add(part));
    for (const penalty of penalties) this.#penalty += penalty.item() * rows;
    this.#rows += rows;
  }

  /** Adds a batch to the metrics alone. */
  countMetrics(outputs: LayerOutputs, batch: Batch): void {
    const { parts } = this.cost(outputs, batch, []);
    for (const part of parts) inOutput(part.output.name, () => this.#add({ ...part, loss: null }));
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

  #prepare(output: OutputPlace, yTrue: Tensor, yPred: Tensor): Output {
    const { loss, lossWeights, metrics, weightedMetrics, reduction } = this.chosen;
    const { name, index } = output;
    const lossChoice = choice<LossName | LossFunction>(loss, name, index);
    const prepared: Output = {
      name,
      loss: lossChoice && chooseLoss(lossChoice, yTrue, yPred, reduction),
      factor: choice<number>(lossWeights, name, index) ?? 1,
      metrics: chooseMetrics(metrics, output, yTrue, yPred),
      weighted: chooseMetrics(weightedMetrics, output, yTrue, yPred),
      sum: 0,
      count: 0,
    };
    for (const metric of [...prepared.metrics, ...prepared.weighted]) metric.resetState();
    return prepared;
  }

  /** Adds an output of a batch to metrics and mean. */
  #add({ output, yTrue, yPred, weighting, loss }: Part): void {
    const update = (metric: Metric, options: Weighting): void => {
      const result: unknown = metric.updateState(yTrue, yPred, options);
      checkSynchronous(result, `updateState() of the metric '${metric.name}'`);
    };
    for (const metric of output.metrics) update(metric, {});
    for (const metric of output.weighted) update(metric, weighting);
    if (!loss) return;
    const { mask, shape, size } = yPred;
    const steps = mask ? countNonzero(mask).item() : size / (shape.at(-1) || 1);
    // As in Keras, the weight of a batch is its number of rows.
    const count = this.chosen.reduction === 'mean_over_kept' ? steps : (shape[0] as number);
    output.sum += loss.item() * count;
    output.count += count;
  }

  /** Results of all batches since the last reset. */
  results(): Evaluation {
    const penalty = this.#rows === 0 ? 0 : this.#penalty / this.#rows;
    const outputs = this.measured;
    const results = new Map<string, number | number[]>();
    const withLoss = outputs.filter((output) => output.loss);
    // Without a batch, there is no loss. A batch may also have no kept step.
    const ifNone = this.#rows === 0 ? Number.NaN : 0;
    const mean = ({ sum: total, count }: Output) => (count === 0 ? ifNone : total / count);
    if (this.#rows === 0 && this.chosen.loss) results.set('loss', ifNone);
    if (withLoss.length > 0 || penalty !== 0) {
      results.set(
        'loss',
        sum([penalty, ...withLoss.map((output) => output.factor * mean(output))]),
      );
    }
    for (const output of withLoss.length > 1 ? withLoss : []) {
      addResult(results, '', `${output.name}_loss`, mean(output));
    }
    this.#addMetrics(results);
    if (results.size === 0) this.#requireChoice();
    return Object.fromEntries(results);
  }

  /** Results of the metrics alone. */
  metricResults(): Evaluation {
    const results = new Map<string, number | number[]>();
    this.#addMetrics(results);
    return Object.fromEntries(results);
  }

  #addMetrics(results: Map<string, number | number[]>): void {
    for (const kind of ['metrics', 'weighted'] as const) {
      for (const output of this.measured) {
        for (const metric of output[kind]) {
          const prefix = (this.#names as []).length > 1 ? `${output.name}_` : '';
          const value = checkSynchronous(
            metric.result(),
            `result() of the metric '${metric.name}'`,
          );
          addResult(results, prefix, metric.name, value, kind === 'weighted');
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

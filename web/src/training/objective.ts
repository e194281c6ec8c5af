// SPDX-License-Identifier: MIT
import { sum } from '../base/array.js';
import { checkSynchronous } from '../base/check.js';
import { StateError, ValueError } from '../base/errors.js';
import type { Evaluation, Measured } from '../measures/evaluation.js';
import type { LossFunction, Reduction, Weighting } from '../measures/loss.js';
import type { Metric } from '../measures/metric.js';
import type { LossName } from '../measures/names.gen.js';
import type { LayerOutputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import { countNonzero } from '../ops/ops.gen.js';
import { checkNames, choice, chosenLoss, chosenMetrics } from './choices.js';
import { type Batch, dictionary } from './data.js';
import type { Tensor } from '../tensor/tensor.js';

/** What was chosen for an output. */
export interface Output {
  readonly name: string;
  readonly loss: LossFunction | null;
  readonly factor: number;
  readonly metrics: readonly Metric[];
  readonly weighted: readonly Metric[];
  /** Of the losses of the batches: their sum, each times what it counts. */
  sum: number;
  count: number;
}

/** An output of a batch with its targets, and the key of these in y. */
export interface Pair {
  readonly output: Output;
  readonly key: string;
  readonly place: number;
  readonly yTrue: Tensor;
  readonly yPred: Tensor;
  readonly weighting: Weighting;
}

/** Which output it is, of how many. */
export interface Place {
  readonly name: string;
  readonly place: number;
  readonly count: number;
}

/** A second metric of a name is `weighted_name`, or `name_1`, as in Keras. */
function put(
  result: Map<string, number | number[]>,
  prefix: string,
  name: string,
  value: number | number[],
  weighted = false,
): void {
  const taken = result.has(prefix + name) && weighted;
  const wanted = taken ? `${prefix}weighted_${name}` : prefix + name;
  let free = wanted;
  for (let i = 1; result.has(free); i++) free = `${wanted}_${i}`;
  result.set(free, value);
}

/** Losses and metrics of a model as they were chosen, and what the batches came to. */
export class Objective {
  #names: readonly string[] | undefined;
  readonly outputs: Output[] = [];

  constructor(
    readonly model: Layer,
    readonly chosen: Measured & { readonly reduction?: Reduction },
  ) {}

  /** Names of outputs in a list: those of the layers that made them, as in Keras. */
  namesOf(made: LayerOutputs): readonly string[] {
    const layers =
      Array.isArray(made) && !this.model.isCustom && this.model.getConfig()['output_layers'];
    return Array.isArray(layers) ? layers.map(([name]) => name) : Object.keys(dictionary(made));
  }

  #namesFor(made: LayerOutputs): readonly string[] {
    const names = this.namesOf(made);
    const { loss, lossWeights, metrics, weightedMetrics } = this.chosen;
    for (const choices of [loss, lossWeights, metrics, weightedMetrics]) checkNames(choices, names);
    if (Array.isArray(loss) && loss.length > names.length) {
      throw new ValueError(`there are ${loss.length} losses but ${names.length} outputs`);
    }
    if (Array.isArray(lossWeights) && lossWeights.length > names.length) {
      throw new ValueError(
        `there are ${lossWeights.length} lossWeights but ${names.length} outputs`,
      );
    }
    return names;
  }

  prepare(output: Place, yTrue: Tensor, yPred: Tensor): Output {
    const { loss, lossWeights, metrics, weightedMetrics, reduction } = this.chosen;
    const { name, place } = output;
    const given = choice<LossName | LossFunction>(loss, name, place);
    const made: Output = {
      name,
      loss: given && chosenLoss(given, yTrue, yPred, reduction),
      factor: choice<number>(lossWeights, name, place) ?? 1,
      metrics: chosenMetrics(metrics, output, yTrue, yPred),
      weighted: chosenMetrics(weightedMetrics, output, yTrue, yPred),
      sum: 0,
      count: 0,
    };
    for (const metric of [...made.metrics, ...made.weighted]) metric.resetState();
    return made;
  }

  /** Outputs of a batch with their targets; without those that have neither loss nor targets. */
  pairs(made: LayerOutputs, { y, weights }: Batch): Pair[] {
    const predictions = Object.values(dictionary(made));
    this.#names ??= this.#namesFor(made);
    const names = this.#names;
    // A list says something of outputs in a dictionary in the order of their names, as in Keras.
    const order = Array.isArray(made) ? names : [...names].sort();
    const byName = y.form === 'dictionary' && names.length > 1;
    const keys = Object.keys(y.values);
    const pairs: Pair[] = [];
    predictions.forEach((yPred, i) => {
      const name = names[i] as string;
      const place = order.indexOf(name);
      const key = byName || keys.includes(name) ? name : (keys[place] ?? '');
      const yTrue = y.values[key];
      if (!yTrue) {
        if (!choice(this.chosen.loss, name, place)) return;
        throw new ValueError(`there are no targets for the output '${name}'; add them to y`);
      }
      const sampleWeight = weights.values[name] ?? weights.values[place] ?? weights.values['0'];
      this.outputs[i] ??= this.prepare({ name, place, count: names.length }, yTrue, yPred);
      const output = this.outputs[i];
      const weighting = sampleWeight ? { sampleWeight } : {};
      pairs.push({ output, key, place, yTrue, yPred, weighting });
    });
    return pairs;
  }

  lossOf({ output, yTrue, yPred, weighting }: Pair): Tensor | null {
    return output.loss?.(yTrue, yPred, weighting) ?? null;
  }

  /** Adds an output of a batch to metrics and mean. */
  add(pair: Pair, loss = this.lossOf(pair)): void {
    const { output, yTrue, yPred, weighting } = pair;
    const update = (metric: Metric, more: Weighting): void => {
      const nothing: unknown = metric.updateState(yTrue, yPred, more);
      checkSynchronous(nothing, `updateState() of the metric '${metric.name}'`);
    };
    for (const metric of output.metrics) update(metric, {});
    for (const metric of output.weighted) update(metric, weighting);
    if (!loss) return;
    const { mask, shape, size } = yPred;
    const steps = mask ? countNonzero(mask).item() : size / (shape.at(-1) || 1);
    // Keras counts a batch by its rows.
    const kept = this.chosen.reduction === 'mean_over_kept';
    const count = kept ? steps : (shape[0] as number);
    output.sum += loss.item() * count;
    output.count += count;
  }

  /** Of all batches. `penalty`: what regularizers add to the loss. */
  results(penalty: number): Evaluation {
    const outputs = Object.values(this.outputs);
    const result = new Map<string, number | number[]>();
    const withLoss = outputs.filter((output) => output.loss);
    const mean = ({ sum, count }: Output) => (count === 0 ? 0 : sum / count);
    if (withLoss.length > 0) {
      const losses = withLoss.map((output) => output.factor * mean(output));
      result.set('loss', sum([penalty, ...losses]));
    }
    for (const output of withLoss.length > 1 ? withLoss : []) {
      put(result, '', `${output.name}_loss`, mean(output));
    }
    for (const kind of ['metrics', 'weighted'] as const) {
      for (const output of outputs) {
        for (const metric of output[kind]) {
          const prefix = (this.#names as []).length > 1 ? `${output.name}_` : '';
          const value = checkSynchronous(
            metric.result(),
            `result() of the metric '${metric.name}'`,
          );
          put(result, prefix, metric.name, value, kind === 'weighted');
        }
      }
    }
    if (result.size === 0) this.#requireChoice();
    return Object.fromEntries(result);
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

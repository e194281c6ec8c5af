// SPDX-License-Identifier: MIT
import { MaskflowError, ValueError } from '../base/errors.js';
import type { Evaluation, LossLike, Measured } from '../measures/evaluation.js';
import type { LossFunction, Reduction, Weighting } from '../measures/loss.js';
import type { Metric } from '../measures/metric.js';
import type { LayerOutputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import { countNonzero, multiply } from '../ops/ops.gen.js';
import { checkNames, choice, chosenLoss, chosenMetrics } from './choices.js';
import { type Batch, dictionary } from './data.js';
import { total } from './regularizers.js';
import { Tensor } from '../tensor/tensor.js';

/** What was chosen for an output. */
export interface Output {
  readonly name: string;
  /** Of its targets in y. */
  readonly key: string;
  /** The loss as it was given. */
  readonly chosen: LossLike | null;
  /** Of the output: how many classes it tells apart, and its rank. */
  readonly classes: number;
  readonly rank: number;
  readonly loss: LossFunction | null;
  readonly factor: number;
  readonly metrics: readonly Metric[];
  readonly weighted: readonly Metric[];
  /** Of the losses of the batches: their sum, each times what it counts. */
  sum: number;
  count: number;
}

/** An output of a batch with its targets. */
interface Pair {
  readonly output: Output;
  readonly yTrue: Tensor;
  readonly yPred: Tensor;
  readonly weighting: Weighting;
  loss: Tensor | null;
}

/** What a batch costs: a scalar, null where there is no loss and nothing is penalized. */
export interface Cost {
  readonly value: Tensor | null;
  readonly pairs: readonly Pair[];
  readonly penalty: Tensor | null;
}

/** Which output it is, of how many. */
interface Place {
  readonly name: string;
  readonly place: number;
  readonly count: number;
}

/** Names of the outputs in a list: those of the layers that made them, as in Keras. */
function namesOf(model: Layer, made: LayerOutputs, keys: readonly string[]): readonly string[] {
  if (model.isCustom || !(Array.isArray(made) || made instanceof Tensor)) return keys;
  const { output_layers: last, layers } = model.getConfig() as {
    output_layers?: unknown;
    layers?: { config?: { name?: unknown } }[];
  };
  const names = Array.isArray(last)
    ? (Array.isArray(last[0]) ? last : [last]).map(([name]) => name)
    : [layers?.at(-1)?.config?.name];
  return names.length === keys.length && names.every((name) => typeof name === 'string')
    ? names
    : keys;
}

/** Says which output an error is about, where it has a name. */
function inOutput<T>(name: string, f: () => T): T {
  try {
    return f();
  } catch (error) {
    if (error instanceof MaskflowError && !/^\d+$/.test(name)) {
      error.message = `output '${name}': ${error.message}`;
    }
    throw error;
  }
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

/** Losses and metrics of a model as they were chosen, and what the batches since the last reset came to. */
export class Objective {
  readonly #model: Layer;
  readonly #chosen: Measured & { readonly reduction?: Reduction };
  #names: readonly string[] | undefined;
  #outputs: Output[] = [];
  #penalty = 0;
  #rows = 0;

  constructor(model: Layer, chosen: Measured & { readonly reduction?: Reduction }) {
    this.#model = model;
    this.#chosen = chosen;
  }

  /** Those that batches have shown so far. */
  get outputs(): readonly Output[] {
    return Object.values(this.#outputs);
  }

  /** Forgets the batches. */
  reset(): void {
    this.#penalty = 0;
    this.#rows = 0;
    for (const output of this.outputs) {
      output.sum = 0;
      output.count = 0;
      for (const metric of [...output.metrics, ...output.weighted]) metric.resetState();
    }
  }

  /** Names of the outputs of the model, which made these. */
  names(made: LayerOutputs): readonly string[] {
    if (this.#names) return this.#names;
    const names = namesOf(this.#model, made, Object.keys(dictionary(made)));
    const { loss, lossWeights, metrics, weightedMetrics } = this.#chosen;
    for (const choices of [loss, lossWeights, metrics, weightedMetrics]) checkNames(choices, names);
    if (Array.isArray(loss) && loss.length > names.length) {
      throw new ValueError(`there are ${loss.length} losses but ${names.length} outputs`);
    }
    this.#names = names;
    return names;
  }

  #prepare(output: Place, key: string, yTrue: Tensor, yPred: Tensor): Output {
    const { loss, lossWeights, metrics, weightedMetrics, reduction } = this.#chosen;
    const { name, place } = output;
    const chosen = choice<LossLike>(loss, name, place);
    const made: Output = {
      name,
      key,
      chosen,
      classes: yPred.shape.at(-1) ?? 1,
      rank: yPred.rank,
      loss: chosen === null ? null : chosenLoss(chosen, yTrue, yPred, reduction),
      factor: choice<number>(lossWeights, name, place) ?? 1,
      metrics: chosenMetrics(metrics, output, yTrue, yPred),
      weighted: chosenMetrics(weightedMetrics, output, yTrue, yPred),
      sum: 0,
      count: 0,
    };
    for (const metric of [...made.metrics, ...made.weighted]) metric.resetState();
    return made;
  }

  #pairs(made: LayerOutputs, { y, weights }: Batch): Pair[] {
    const predictions = Object.entries(dictionary(made));
    const names = this.names(made);
    const count = predictions.length;
    // A list says something of outputs in a dictionary in the order of their names, as in Keras.
    const order = Array.isArray(made) ? names : [...names].sort();
    const listed = Object.keys(y.values);
    // Targets of those outputs alone that have a loss.
    const skips = !y.named && listed.length < count;
    const withLoss = order.filter((name, place) => choice(this.#chosen.loss, name, place));
    return predictions.flatMap(([, yPred], i) => {
      const name = names[i] as string;
      const place = order.indexOf(name);
      const at = skips && withLoss.length === listed.length ? withLoss.indexOf(name) : place;
      const byName = Object.hasOwn(y.values, name) || (y.named && count > 1);
      const key = (byName ? name : listed[at]) ?? '';
      const yTrue = y.values[key];
      if (!yTrue) {
        if (!choice(this.#chosen.loss, name, place)) return [];
        throw new ValueError(`there are no targets for the output '${name}'; add them to y`);
      }
      const weight = weights.values[name] ?? weights.values[place] ?? weights.values['0'];
      const output = inOutput(name, () => {
        this.#outputs[i] ??= this.#prepare({ name, place, count }, key, yTrue, yPred);
        return this.#outputs[i];
      });
      return [
        { output, yTrue, yPred, weighting: weight ? { sampleWeight: weight } : {}, loss: null },
      ];
    });
  }

  /** What the outputs of a batch cost. */
  cost(made: LayerOutputs, batch: Batch, penalties: readonly Tensor[]): Cost {
    const pairs = this.#pairs(made, batch);
    const parts: Tensor[] = [];
    for (const pair of pairs) {
      const { output, yTrue, yPred, weighting } = pair;
      const { loss, factor, name } = output;
      if (!loss) continue;
      pair.loss = inOutput(name, () => loss(yTrue, yPred, weighting));
      parts.push(factor === 1 ? pair.loss : multiply(pair.loss, factor));
    }
    const penalty = total(penalties);
    return { value: total(penalty ? [...parts, penalty] : parts), pairs, penalty };
  }

  /** Adds a batch of `rows` rows; the loss of all so far is in {@link results}. */
  add({ pairs, penalty }: Cost, rows: number): void {
    for (const { output, yTrue, yPred, weighting, loss } of pairs) {
      inOutput(output.name, () => {
        for (const metric of output.metrics) metric.updateState(yTrue, yPred);
        for (const metric of output.weighted) metric.updateState(yTrue, yPred, weighting);
      });
      if (!loss) continue;
      // Keras counts a batch by its rows.
      const count =
        this.#chosen.reduction === 'mean_over_kept' ? keptIn(yPred) : (yPred.shape[0] as number);
      output.sum += loss.item() * count;
      output.count += count;
    }
    if (penalty) this.#penalty += penalty.item() * rows;
    this.#rows += rows;
  }

  /** Of all batches since the last reset. */
  results(): Evaluation {
    const { outputs } = this;
    const result = new Map<string, number | number[]>();
    const several = (this.#names?.length ?? 1) > 1;
    const withLoss = outputs.filter((output) => output.loss);
    const mean = (sum: number, count: number) => (count === 0 ? 0 : sum / count);
    if (withLoss.length > 0 || this.#penalty !== 0) {
      const losses = withLoss.map(({ factor, sum, count }) => factor * mean(sum, count));
      const penalty = mean(this.#penalty, this.#rows);
      result.set(
        'loss',
        losses.reduce((all, loss) => all + loss, penalty),
      );
    }
    for (const { name, sum, count } of withLoss.length > 1 ? withLoss : []) {
      put(result, '', `${name}_loss`, mean(sum, count));
    }
    for (const kind of ['metrics', 'weighted'] as const) {
      for (const output of outputs) {
        for (const metric of output[kind]) {
          const prefix = several ? `${output.name}_` : '';
          put(result, prefix, metric.name, metric.result(), kind === 'weighted');
        }
      }
    }
    return Object.fromEntries(result);
  }
}

function keptIn(yPred: Tensor): number {
  const { mask, shape, size } = yPred;
  return mask ? countNonzero(mask).item() : size / (shape.at(-1) || 1);
}

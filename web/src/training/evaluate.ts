// SPDX-License-Identifier: MIT
import type { LayerInputs, LayerOutputs } from '../layers/args.js';
import { isPlain, refuse, whole, known } from '../base/check.js';
import { ShapeError, ValueError } from '../base/errors.js';
import type { EvaluateOptions, Evaluation, MetricLike, PerOutput } from '../measures/evaluation.js';
import { type LossFunction, loss, type Weighting } from '../measures/loss.js';
import { Metric } from '../measures/metric.js';
import type { LossName } from '../measures/names.gen.js';
import type { Layer } from '../layers/layer.js';
import { countNonzero, slice } from '../ops/ops.gen.js';
import { applyWithPenalty, regularization } from './regularizers.js';
import { tidy } from '../tensor/tidy.js';
import { asTensor, isTensor, type Tensor, type TensorLike } from '../tensor/tensor.js';

type Values = { [key: string]: Tensor };

const isStructure = (values: unknown): values is { [key: string]: Tensor } =>
  (Array.isArray(values) || isPlain(values)) && Object.values(values).every(isTensor);

/** A single tensor, a list or a dictionary of them, always as a dictionary. */
function dictionary(values: unknown): Values {
  if (values === undefined || values === null) return {};
  if (!isStructure(values)) return { 0: asTensor(values as TensorLike) };
  return Object.fromEntries(Object.entries(values).map(([key, x]) => [key, asTensor(x)]));
}

/** Some rows of a tensor, and of its mask if that has rows of its own. */
function rows(x: Tensor, first: number, count: number): Tensor {
  const part = slice(
    x,
    x.shape.map((_, axis) => (axis === 0 ? first : 0)),
    x.shape.map((dim, axis) => (axis === 0 ? count : dim)),
  );
  const { mask } = x;
  return part.withMask(mask && mask.shape[0] === x.shape[0] ? rows(mask, first, count) : mask);
}

function checkRows(values: Values, what: string, wanted: number): void {
  for (const { shape } of Object.values(values)) {
    if (shape[0] !== wanted) {
      throw new ShapeError(`x has ${wanted} rows but ${what} has ${shape[0]}; both need the same`);
    }
  }
}

/** What was given for one of the outputs: by name, by place, or once for all. */
function choice<T>(
  given: unknown,
  key: string,
  place: number,
  isOne: (value: unknown) => boolean,
): T {
  if (given === undefined || given === null || isOne(given)) return given as T;
  return (Array.isArray(given) ? given[place] : (given as { [key: string]: T })[key]) as T;
}

/** A dictionary of choices names outputs; a misspelt one would be left out silently. */
function checkNames(given: unknown, names: string[]): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return;
  const unknown = Object.keys(given).find((key) => !names.includes(key));
  if (unknown !== undefined) {
    throw new ValueError(`there is no output '${unknown}'; there are ${names.join(', ')}`);
  }
}

const isLoss = (value: unknown): boolean => typeof value !== 'object';

/** The metrics of one output; `count`: of how many. */
function metricsOf(given: unknown, name: string, place: number, count: number): MetricLike[] {
  if (given === undefined || given === null) return [];
  if (typeof given !== 'object' || given instanceof Metric) {
    throw new ValueError(`metrics come in lists: ['${String(given)}']`);
  }
  const items = Object.values(given);
  if (count > 1 && Array.isArray(given) && items.length !== count && items.length > 0) {
    throw new ValueError(
      `metrics has ${items.length} entries but there are ${count} outputs; give one or a list for each, or a dictionary`,
    );
  }
  const own = count === 1 ? items : [choice(given, name, place, () => false)];
  const list = own.flat() as (MetricLike | null | undefined)[];
  return list.filter((item) => item !== null && item !== undefined);
}

/** Keras's choice by the shapes for the names that leave it open. */
function fitting<Name extends string>(name: Name, yTrue: Tensor, yPred: Tensor): Name {
  const kind = /^acc(uracy)?$/i.test(name)
    ? 'accuracy'
    : /^(crossentropy|ce)$/i.test(name) && 'crossentropy';
  if (!kind) return name;
  const sparse = yTrue.rank < yPred.rank || yTrue.shape.at(-1) === 1;
  const classes =
    yPred.shape.at(-1) === 1 ? 'binary' : sparse ? 'sparse_categorical' : 'categorical';
  return `${classes}_${kind}` as Name;
}

interface Output {
  name: string;
  loss: LossFunction | null;
  factor: number;
  metrics: Metric[];
  weighted: Metric[];
  /** Of the losses of the batches: their sum, each times what it counts. */
  sum: number;
  count: number;
}

function prepare(
  options: EvaluateOptions,
  name: string,
  place: number,
  count: number,
  yTrue: Tensor,
  yPred: Tensor,
): Output {
  const given = choice<LossName | LossFunction | null>(options.loss, name, place, isLoss) ?? null;
  const settings = options.reduction ? { reduction: options.reduction } : {};
  const named = typeof given === 'string' ? loss(fitting(given, yTrue, yPred)) : null;
  const chosen = (list: unknown): Metric[] =>
    metricsOf(list, name, place, count).map((item) => {
      if (typeof item === 'function') return new Metric(item);
      if (item instanceof Metric) return item;
      if (typeof item !== 'string') refuse('a metric', 'a name, a function or a Metric', item);
      return new Metric(fitting(item, yTrue, yPred), { name: item });
    });
  const output = {
    name,
    loss: named
      ? (((t, p, more) => named(t, p, { ...more, ...settings })) as LossFunction)
      : (given as LossFunction | null),
    factor: choice<number>(options.lossWeights, name, place, isLoss) ?? 1,
    metrics: chosen(options.metrics),
    weighted: chosen(options.weightedMetrics),
    sum: 0,
    count: 0,
  };
  for (const metric of [...output.metrics, ...output.weighted]) metric.resetState();
  return output;
}

function add(output: Output, yTrue: Tensor, yPred: Tensor, weight: Weighting, kept: boolean): void {
  for (const metric of output.metrics) metric.updateState(yTrue, yPred);
  for (const metric of output.weighted) metric.updateState(yTrue, yPred, weight);
  if (!output.loss) return;
  const { mask, shape, size } = yPred;
  // Keras counts a batch by its rows.
  const steps = mask ? countNonzero(mask).item() : size / (shape.at(-1) || 1);
  const count = kept ? steps : (shape[0] as number);
  output.sum += output.loss(yTrue, yPred, weight).item() * count;
  output.count += count;
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

/** `penalty`: what regularizers add to the loss. */
function summarize(outputs: Output[], penalty: number): Evaluation {
  const result = new Map<string, number | number[]>();
  const several = outputs.length > 1;
  const withLoss = outputs.filter((output) => output.loss);
  const mean = ({ sum, count }: Output) => (count === 0 ? 0 : sum / count);
  if (withLoss.length > 0) {
    const losses = withLoss.map((output) => output.factor * mean(output));
    const sum = losses.reduce((total, loss) => total + loss, penalty);
    result.set('loss', sum);
  }
  for (const output of withLoss.length > 1 ? withLoss : []) {
    put(result, '', `${output.name}_loss`, mean(output));
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

/** Names of the outputs in a list: those of the layers that made them, as in Keras. */
function namesOf(model: Layer, keys: string[], list: boolean): string[] {
  const made = list && !model.isCustom ? model.getConfig()['output_layers'] : null;
  return Array.isArray(made) ? made.map(([name]) => name) : keys;
}

const batchOf = (values: Values, first: number, count: number): Values =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, rows(value, first, count)]),
  );

/** The inputs of a batch as `x` was given: one, a list or a dictionary. */
function inputsLike(x: LayerInputs, values: Values): LayerInputs {
  if (!isStructure(x)) return values['0'] as Tensor;
  return Array.isArray(x) ? Object.values(values) : values;
}

function checkChoices(options: EvaluateOptions, names: string[]): void {
  const { loss, lossWeights, metrics, weightedMetrics } = options;
  for (const choices of [loss, lossWeights, metrics, weightedMetrics]) checkNames(choices, names);
  if (Array.isArray(loss) && loss.length > names.length) {
    throw new ValueError(`there are ${loss.length} losses but ${names.length} outputs`);
  }
}

/** Counts a batch: what the outputs have `made` of it. `byName`: targets are a dictionary. */
function addBatch(
  outputs: Output[],
  made: LayerOutputs,
  names: string[],
  { targets, weights, byName }: { targets: Values; weights: Values; byName: boolean },
  options: EvaluateOptions,
): void {
  checkChoices(options, names);
  // A list says something of outputs in a dictionary in the order of their names, as in Keras.
  const order = Array.isArray(made) ? names : [...names].sort();
  Object.values(dictionary(made)).forEach((yPred, i) => {
    const name = names[i] as string;
    const place = order.indexOf(name);
    const named = byName && names.length > 1;
    const yTrue = targets[name] ?? (named ? undefined : Object.values(targets)[place]);
    if (!yTrue) {
      if (!choice(options.loss, name, place, isLoss)) return;
      throw new ValueError(`there are no targets for the output '${name}'; add them to y`);
    }
    const weight = weights[name] ?? weights[place] ?? weights['0'];
    outputs[i] ??= prepare(options, name, place, names.length, yTrue, yPred);
    const weighting = weight ? { sampleWeight: weight } : {};
    add(outputs[i], yTrue, yPred, weighting, options.reduction === 'mean_over_kept');
  });
}

/** @internal */
export function evaluate(
  model: Layer,
  x: LayerInputs,
  y: PerOutput<TensorLike>,
  options: EvaluateOptions,
): Evaluation {
  const { batchSize = 32, sampleWeight } = known(options, {
    loss: 1,
    lossWeights: 1,
    metrics: 1,
    weightedMetrics: 1,
    sampleWeight: 1,
    batchSize: 1,
    reduction: 1,
  });
  whole('batchSize', batchSize, 0, ' (all rows at once)');
  return tidy(() => {
    const given = [x, y, sampleWeight].map(dictionary) as [Values, Values, Values];
    const total = Object.values(given[0])[0]?.shape[0] ?? 0;
    given.forEach((values, i) => {
      checkRows(values, ['x', 'y', 'sampleWeight'][i] as string, total);
    });
    const byName = isStructure(y) && !Array.isArray(y);
    const outputs: Output[] = [];
    let activity = 0;
    const size = batchSize || total;
    for (let first = 0; first < total; first += size) {
      const count = Math.min(size, total - first);
      tidy(() => {
        const [inputs, targets, weights] = given.map((values) => batchOf(values, first, count)) as [
          Values,
          Values,
          Values,
        ];
        const { outputs: made, penalty } = applyWithPenalty(model, inputsLike(x, inputs));
        activity += (penalty * count) / total;
        const names = namesOf(model, Object.keys(dictionary(made)), Array.isArray(made));
        addBatch(outputs, made, names, { targets, weights, byName }, options);
      });
    }
    // (An output without a loss and targets has nothing to say.)
    return summarize(Object.values(outputs), activity + regularization(model));
  });
}

// SPDX-License-Identifier: MIT
// Runs Keras's recorded runs of fit (tests/fixtures/training/fit) through the package.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as mf from '../../dist/train.js';

const folder = new URL('../fixtures/training/fit/', import.meta.url);

export const read = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
/** Names of all runs: the files of the folder, except two that do not contain runs. */
export const runs = readdirSync(folder)
  .filter((file) => file.endsWith('.json') && !/^(index|sample_weight_shapes)\.json$/.test(file))
  .map((file) => file.replace(/\.json$/, ''));

const arrays = { float32: Float32Array, int32: Int32Array, bool: Uint8Array, uint32: Int32Array };

export function decode({ shape, dtype, data }) {
  const bytes = new Uint8Array(Buffer.from(data, 'base64'));
  return { shape, dtype, values: new arrays[dtype](bytes.buffer) };
}

const isTensor = (value) => typeof value?.data === 'string' && Array.isArray(value.shape);

/** Converts recorded tensors in lists and dictionaries. */
export function tensors(value) {
  if (value === null || value === undefined) return null;
  if (isTensor(value)) {
    const { shape, dtype, values } = decode(value);
    return mf.tensor(values, { shape, dtype });
  }
  if (Array.isArray(value)) return value.map(tensors);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, tensors(item)]));
}

const flat = (value) => (value instanceof mf.Tensor ? [value] : Object.values(value));
const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** Converts the recorded settings of compile into options of the package. */
export function compileOptions({ compile, loss_arguments }) {
  const loss = loss_arguments
    ? { ...compile.loss, config: { ...compile.loss.config, ...loss_arguments } }
    : compile.loss;
  return {
    optimizer: compile.optimizer,
    loss,
    lossWeights: compile.loss_weights,
    metrics: compile.metrics,
    weightedMetrics: compile.weighted_metrics,
  };
}

export function modelOf(run) {
  const model = mf.Model.fromConfig(run.model);
  mf.tidy(() => model.setWeights(tensors(run.weights)));
  return model;
}

function callbackOf({ class: name, config = {}, table }) {
  const { callbacks } = mf;
  const options = Object.fromEntries(Object.entries(config).map(([key, x]) => [camel(key), x]));
  if (name === 'EarlyStopping') return callbacks.earlyStopping(options);
  if (name === 'ReduceLROnPlateau') return callbacks.reduceLROnPlateau(options);
  if (name === 'TerminateOnNaN') return callbacks.terminateOnNaN();
  if (name === 'LearningRateScheduler') {
    return callbacks.learningRateScheduler((epoch, lr) => (epoch === 0 ? lr * 0.5 : table[epoch]));
  }
  throw new Error(`the recorded callback ${name} is not known`);
}

export function fitOptions(run) {
  const { callbacks, validation_data: validation, ...fitSettings } = run.fit;
  const options = Object.fromEntries(
    Object.entries(fitSettings).map(([key, x]) => [camel(key), x]),
  );
  if (validation) {
    const { x, y, sample_weight } = tensors(validation);
    options.validationData = sample_weight ? [x, y, sample_weight] : [x, y];
  }
  return { ...options, callbacks: callbacks.map(callbackOf) };
}

const kFloor = 0.1;
const number = (x) => (x === 'nan' ? Number.NaN : x);

/** Compares by the rule of the fixtures' README. Returns null, or describes the difference. */
export function difference(actual, expected, spread, title, floor = kFloor) {
  const [a, b] = [[...actual], [...expected].map(number)];
  if (a.length !== b.length) return `${title}: ${a.length} numbers, not ${b.length}`;
  const size = Math.max(floor, ...b.map((x) => Math.abs(x) || 0));
  const tolerance = Math.max(1e-5, 8 * (spread ?? 0)) * size;
  for (const [i, x] of b.entries()) {
    const isWithin = Number.isNaN(x) ? Number.isNaN(a[i]) : Math.abs(a[i] - x) <= tolerance;
    if (!isWithin) return `${title}[${i}] is ${a[i]}, not ${x} (within ${tolerance})`;
  }
  return null;
}

/** Compares tensors with recorded ones, each of which has its own spread. */
export function tensorDifference(actual, expected, title, floor = kFloor) {
  const list = [...actual];
  if (list.length !== expected.length) return `${title}: ${list.length}, not ${expected.length}`;
  for (const [i, recording] of expected.entries()) {
    const name = `${title} ${recording?.name ?? i}`;
    if (recording === null || list[i] === null) {
      if (recording === list[i]) continue;
      return `${name} is ${list[i]}, not ${recording}`;
    }
    const { shape, values } = decode(recording);
    if (`${list[i].shape}` !== `${shape}`)
      return `${name} has shape ${list[i].shape}, not ${shape}`;
    const problem = difference(list[i].data(), values, recording.spread, name, floor);
    if (problem) return problem;
  }
  return null;
}

/** Compares results with recorded ones, by name. */
export function logDifference(actual, expected, spreads, title) {
  const names = [Object.keys(actual), Object.keys(expected)].map((keys) => keys.join(' '));
  if (names[0] !== names[1]) return `${title} has ${names[0]}, not ${names[1]}`;
  for (const [name, value] of Object.entries(expected)) {
    const problem = difference(
      [actual[name]].flat(),
      [value].flat(),
      spreads?.[name],
      `${title} ${name}`,
    );
    if (problem) return problem;
  }
  return null;
}

const byName = (logs) =>
  Object.fromEntries(Object.entries(logs).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Compares the results of evaluate and predict with those recorded before or after training. */
export function inferenceDifferences(run, model, { x, y, sampleWeight }) {
  const { expect, fit } = run;
  model.resetStates();
  const evaluation =
    expect.evaluate &&
    logDifference(
      byName(model.evaluate(x, y, { sampleWeight, batchSize: fit.batch_size })),
      expect.evaluate,
      expect.evaluate_spread,
      'evaluate',
    );
  model.resetStates();
  const prediction = model.predict(x, { batchSize: fit.batch_size });
  return [evaluation, tensorDifference(flat(prediction), expect.predict, 'predict')];
}

export const dataOf = (run) => ({
  x: tensors(run.x),
  y: tensors(run.y),
  sampleWeight: tensors(run.sample_weight),
});

/** Records the first gradients that the optimizer of a model receives. */
function watchGradients(optimizer) {
  const calls = [];
  const apply = optimizer.apply.bind(optimizer);
  optimizer.apply = (gradients, variables) => {
    if (calls.length === 0) {
      calls.push(gradients.map((g) => g && { shape: g.shape, values: g.data() }));
    }
    return apply(gradients, variables);
  };
  return calls;
}

/** Returns all differences between a run's results and the recorded ones. */
export async function trainingDifferences(run) {
  const { expect } = run;
  const model = modelOf(run);
  model.compile(compileOptions(run));
  const data = dataOf(run);
  const losses = [];
  const gradients = watchGradients(model.optimizer);
  const problems = [];
  if (run.batches) {
    problems.push(...(await batchDifferences(run, model, data)));
  } else {
    const options = fitOptions(run);
    const history = await model.fit(data.x, data.y, {
      ...options,
      ...(data.sampleWeight && { sampleWeight: data.sampleWeight }),
      onBatchEnd: (_, { loss }) => losses.push(loss),
    });
    problems.push(
      logDifference(history.history, expect.history, expect.history_spread, 'history'),
      difference(losses, expect.batch_loss, expect.history_spread?.loss, 'batch_loss'),
    );
  }
  const firstGradients = (gradients[0] ?? []).map(
    (g) => g && { shape: g.shape, data: () => g.values },
  );
  problems.push(
    tensorDifference(firstGradients, expect.first_gradients, 'gradient'),
    tensorDifference(model.getWeights(), expect.weights, 'weight'),
    ...optimizerDifferences(model.optimizer, expect),
    ...inferenceDifferences(run, model, data),
  );
  model.dispose();
  return problems.filter((difference) => difference !== null && difference !== undefined);
}

function optimizerDifferences(optimizer, expect) {
  const variables = optimizer.variables;
  const names = variables.map(({ name }) => name).join(' ');
  const expected = expect.optimizer_variables.map(({ name }) => name).join(' ');
  return [
    names === expected ? null : `optimizer variables are ${names}, not ${expected}`,
    tensorDifference(
      optimizer.getWeights(),
      expect.optimizer_variables,
      'optimizer variable',
      1e-6,
    ),
    difference([optimizer.learningRate], [expect.learning_rate], 0, 'learning rate', 1e-6),
  ];
}

/** Returns rows of a tensor, or of each tensor in a list or dictionary. */
function rows(value, from, to) {
  if (value === null) return null;
  if (!(value instanceof mf.Tensor)) {
    const parts = Object.entries(value).map(([key, item]) => [key, rows(item, from, to)]);
    return Array.isArray(value) ? parts.map(([, item]) => item) : Object.fromEntries(parts);
  }
  const begin = value.shape.map((_, axis) => (axis === 0 ? from : 0));
  return mf.ops.slice(value, begin, [to - from, ...value.shape.slice(1)]);
}

async function batchDifferences(run, model, { x, y, sampleWeight }) {
  const problems = [];
  for (const [i, [action, from, to]] of run.batches.entries()) {
    const expected = run.expect.returns[i];
    if (action === 'reset_metrics') {
      model.resetMetrics();
      continue;
    }
    assert.match(action, /^(train|test)$/);
    const [bx, by, bw] = [x, y, sampleWeight].map((value) => rows(value, from, to));
    const method = action === 'train' ? 'trainOnBatch' : 'testOnBatch';
    const actual = await model[method](bx, by, bw ? { sampleWeight: bw } : {});
    problems.push(logDifference(byName(actual), expected, run.expect.returns_spread, `batch ${i}`));
  }
  return problems;
}

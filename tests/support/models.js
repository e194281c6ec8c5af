// SPDX-License-Identifier: MIT
// Runs recorded models from the files that Keras wrote, in every format, and compares them with
// Keras's results.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as mf from '../../dist/index.js';
import { decode, readFixture, toTensor, worstError } from './recorded_cases.js';

const pathOf = (file) => fileURLToPath(new URL(`../fixtures/${file}`, import.meta.url));

const inKeras315 = readFixture('models/index.json').models.map((model) => ({
  ...model,
  folder: 'models',
}));
const inKeras316 = readFixture('next-3.16/index.json').models.map((model) => ({
  ...model,
  folder: 'next-3.16/models',
}));

/** Returns a function that loads a complete model file. */
const completeFile =
  (key) =>
  ({ folder, [key]: file }, options) =>
    mf.loadModel(pathOf(`${folder}/${file}`), options);

/** Creates a model from its config, sets its weights to NaN, and loads a weights file. */
async function fromWeights({ folder, weights_h5 }, _options, { config, inputs }) {
  const model = mf.Model.fromConfig(config);
  if (!model.built) model.build([null, ...inputs[0].shape.slice(1)]);
  const nanWeights = model.weights.map(({ shape }) =>
    new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(Number.NaN),
  );
  model.setWeights(nanWeights);
  await model.loadWeights(pathOf(`${folder}/${weights_h5}`));
  return model;
}

/**
 * The formats, with the models that exist in each. `rule` is the mask rule for `loadModel`; without
 * it, the file decides.
 */
export const formats = [
  { format: '.keras', models: inKeras315, load: completeFile('keras') },
  { format: '.weights.h5', models: inKeras315.filter((m) => m.weights_h5), load: fromWeights },
  { format: '.h5', models: inKeras315.filter((m) => m.h5), load: completeFile('h5') },
  { format: '.keras of 3.16', models: inKeras316, load: completeFile('keras') },
  {
    format: '.keras of 3.16, by option',
    models: inKeras316,
    load: completeFile('keras'),
    rule: 'keras-3.16',
  },
];

const list = (value) => (Array.isArray(value) ? value : Object.values(value));
const structured = (recording, tensors) => {
  const take = (value) => {
    const tensor = toTensor(value);
    tensors.push(tensor);
    return tensor;
  };
  if (!Array.isArray(recording)) {
    return Object.fromEntries(Object.entries(recording).map(([key, value]) => [key, take(value)]));
  }
  return recording.length === 1 ? take(recording[0]) : recording.map(take);
};

/** Checks one recorded model in one format. Returns { problem: string | null, error: number }. */
export async function checkModel({ load, rule }, entry) {
  const tensors = [];
  const warnings = new Set();
  const warn = console.warn;
  console.warn = (message) => warnings.add(/layer '([^']*)'/.exec(message)?.[1] ?? message);
  let model;
  try {
    const recording = readFixture(`${entry.folder}/${entry.name}.io.json`);
    model = await load(entry, rule ? { maskPropagation: rule } : {}, recording);
    // A layer warns once: while the graph is built, or when the model runs.
    for (const warning of warnings) if (/\s/.test(warning)) warnings.delete(warning);
    return { problem: null, error: check(model, recording, tensors, warnings) };
  } catch (error) {
    return { problem: `${error.name}: ${error.message}`, error: 0 };
  } finally {
    console.warn = warn;
    for (const tensor of tensors) tensor.dispose();
    model?.dispose();
  }
}

const kTolerance = 1e-5;

/** Throws if a result differs; returns the worst relative error. */
function check(model, recording, tensors, warnings) {
  const inputs = structured(recording.inputs, tensors);
  const call = (how = 'apply') => {
    const result = model[how](inputs);
    const outputs = result instanceof mf.Tensor ? [result] : list(result);
    tensors.push(...outputs);
    return {
      outputs,
      keys: Array.isArray(result) || result instanceof mf.Tensor ? null : Object.keys(result),
    };
  };
  checkWeights(model, recording);
  const firstRun = call();
  let worst = compare(firstRun, recording.outputs, recording.masks);
  checkWarnings(warnings, recording.layers_warning_mask_destroyed, model.getConfig());
  if (recording.second_call_outputs) {
    worst = Math.max(worst, compare(call(), recording.second_call_outputs, recording.masks));
    model.resetStates();
    worst = Math.max(worst, compare(call(), recording.after_reset_outputs, recording.masks));
    model.resetStates();
  }
  worst = Math.max(worst, compare(call('predict'), recording.outputs, null));
  if (recording.evaluate) checkEvaluation(model, inputs, recording, tensors);
  return worst;
}

function compare({ outputs, keys }, recording, masks) {
  const expected = list(recording);
  if (keys && !Array.isArray(recording) && keys.join() !== Object.keys(recording).join()) {
    throw new Error(`the outputs are named ${keys}, not ${Object.keys(recording)}`);
  }
  if (outputs.length !== expected.length) {
    throw new Error(`${outputs.length} outputs in place of ${expected.length}`);
  }
  let worst = 0;
  for (const [i, output] of outputs.entries()) {
    const { shape, values } = decode(expected[i]);
    if (String(output.shape) !== String(shape)) {
      throw new Error(`output ${i} has shape ${output.shape}, not ${shape}`);
    }
    const error = worstError(output.data(), values);
    if (!(error <= kTolerance)) throw new Error(`output ${i} differs by ${error}`);
    worst = Math.max(worst, error);
    if (masks) compareMask(output.mask, list(masks)[i], i);
  }
  return worst;
}

function compareMask(mask, recording, i) {
  const show = (values) => [...values].map((keep) => (keep ? 'T' : 'F')).join('');
  const expected = recording ? show(decode(recording).values) : 'none';
  const actual = mask ? show(mask.data()) : 'none';
  mask?.dispose();
  if (actual !== expected) throw new Error(`the mask of output ${i} is ${actual}, not ${expected}`);
}

function checkWeights(model, { weights }) {
  const shapes = model.weights.map(({ shape }) => String(shape)).sort();
  const expected = weights.map(({ shape }) => String(shape)).sort();
  if (shapes.join(' ') !== expected.join(' ')) {
    throw new Error(`the weights have shapes ${shapes.join(' ')}, not ${expected.join(' ')}`);
  }
}

/** Returns all names that Keras gives the layers inside Bidirectional. */
function directions(config) {
  if (typeof config !== 'object' || config === null) return [];
  const inner = Object.values(config).flatMap(directions);
  if (config.class_name !== 'Bidirectional') return inner;
  const { layer, backward_layer: backward } = config.config;
  const names = [layer, backward].filter(Boolean).map((inner) => inner.config.name);
  return [...inner, ...names.flatMap((name) => [name, `forward_${name}`, `backward_${name}`])];
}

/**
 * Names of layers that warn in Keras although their mask is used: models, recurrent layers that
 * return no steps, and layers of attention.
 */
function warningInVain(config) {
  const names = [];
  JSON.stringify(config, (_, item) => {
    const isModel = ['Functional', 'Sequential'].includes(item?.class_name);
    const recurrent = item?.class_name === 'Bidirectional' ? item.config?.layer : item;
    const returnsNoSteps = recurrent?.config?.return_sequences === false;
    if (isModel || returnsNoSteps) names.push(item.config?.name);
    return item;
  });
  return [...names, 'query', 'key', 'value', 'gate'];
}

// Compares warnings. For a Bidirectional, Keras warns three times, once for it and for each of its
// two layers; maskflow warns once.
function checkWarnings(warnings, recording, config) {
  const inside = directions(config);
  const inVain = warningInVain(config);
  const expected = recording
    .filter((name) => !inside.includes(name) && !inVain.includes(name))
    .sort();
  const actual = [...warnings].sort();
  if (actual.join() !== expected.join()) {
    throw new Error(`warned of masks dropped by [${actual}], not by [${expected}]`);
  }
}

// The loss of this model includes regularizers, which belong to training.
const notEvaluated = ['regularized_constrained'];

function checkEvaluation(model, inputs, { name, evaluate }, tensors) {
  if (notEvaluated.includes(name)) return;
  const y = toTensor(evaluate.y);
  const sampleWeight = toTensor(evaluate.sample_weight);
  tensors.push(y, sampleWeight);
  const options = {
    loss: evaluate.loss,
    metrics: evaluate.metrics,
    weightedMetrics: evaluate.weighted_metrics,
  };
  const runs = [
    [options, evaluate.result],
    [{ ...options, sampleWeight }, evaluate.weighted_result],
  ];
  for (const [options, expected] of runs) {
    const actual = model.evaluate(inputs, y, options);
    for (const [key, value] of Object.entries(expected)) {
      const error = worstError([actual[key]], [value]);
      if (!(error <= kTolerance)) throw new Error(`${key} is ${actual[key]}, not ${value}`);
    }
  }
}

/**
 * Runs all models of a format. Returns { family, passed, total, worst, problems }, like a test of a
 * family of layers.
 */
async function runFormat(format) {
  const result = { family: format.format, passed: 0, total: 0, worst: 0, problems: [] };
  for (const entry of format.models) {
    const { problem, error } = await checkModel(format, entry);
    result.total++;
    result.worst = Math.max(result.worst, error);
    if (problem === null) result.passed++;
    else result.problems.push(`${entry.name}: ${problem}`);
  }
  return result;
}

/**
 * Runs all formats. Models follow Keras 3.15 unless a file says otherwise, whichever mask rule was
 * chosen before.
 */
export async function runFormats() {
  await mf.ready({ maskPropagation: 'keras-3.15', onMaskDropped: 'warn' });
  const rows = [];
  for (const format of formats) rows.push(await runFormat(format));
  return rows;
}

/** The trained models in `trained/`, which have recorded outputs. */
export const trainedModels = ['adding', 'brackets', 'sensor'];

/**
 * Returns the worst absolute difference from the recorded outputs, which are rounded to six digits.
 */
export async function checkTrained(name) {
  const { examples } = JSON.parse(readFileSync(pathOf(`trained/${name}.json`), 'utf8'));
  const model = await mf.loadModel(pathOf(`trained/${name}.keras`));
  let worst = 0;
  for (const example of examples) {
    const input = example.ids
      ? mf.tensor([example.ids], { dtype: 'int32' })
      : mf.tensor([example.input], { dtype: 'float32' });
    const output = model.predict(input);
    for (const [actual, expected] of recordedPairs(output.array()[0], example)) {
      worst = Math.max(worst, Math.abs(actual - expected));
    }
    input.dispose();
    output.dispose();
  }
  model.dispose();
  return { worst, examples: examples.length };
}

/**
 * Pairs our numbers with the recorded ones: all numbers, or only the largest number of each step
 * and its index if nothing else is recorded.
 */
function recordedPairs(output, { output: recording, argmax, max_probability: greatest }) {
  if (recording !== undefined) {
    const expected = [recording].flat(2);
    const actual = output.flat();
    if (actual.length !== expected.length)
      throw new Error(`${actual.length} numbers, not ${expected.length}`);
    return actual.map((value, i) => [value, expected[i]]);
  }
  return output.flatMap((step, t) => [
    [step[argmax[t]], greatest[t]],
    [step.indexOf(Math.max(...step)), argmax[t]],
  ]);
}

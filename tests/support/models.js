// SPDX-License-Identifier: MIT
// Runs recorded models from the files that Keras wrote, in every format, and compares with what Keras computed.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as mf from '../../dist/index.js';
import { decode, readFixture, toTensor, worstError } from './golden.js';

const pathOf = (file) => fileURLToPath(new URL(`../fixtures/${file}`, import.meta.url));

const inKeras315 = readFixture('models/index.json').models.map((model) => ({
  ...model,
  folder: 'models',
}));
const inKeras316 = readFixture('next-3.16/index.json').models.map((model) => ({
  ...model,
  folder: 'next-3.16/models',
}));

/** From a file with everything in it. */
const whole =
  (key) =>
  ({ folder, [key]: file }, options) =>
    mf.loadModel(pathOf(`${folder}/${file}`), options);

/** From weights only, into a model made from its configuration whose weights were all NaN. */
async function fromWeights({ folder, weights_h5 }, _options, { config, inputs }) {
  const model = mf.Model.fromConfig(config);
  if (!model.built) model.build([null, ...inputs[0].shape.slice(1)]);
  const nothing = model.weights.map(({ shape }) =>
    new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(Number.NaN),
  );
  model.setWeights(nothing);
  await model.loadWeights(pathOf(`${folder}/${weights_h5}`));
  return model;
}

/** Which models exist in which form. `rule`: what `loadModel` is told, undefined to let the file say it. */
export const formats = [
  { format: '.keras', models: inKeras315, load: whole('keras') },
  { format: '.weights.h5', models: inKeras315.filter((m) => m.weights_h5), load: fromWeights },
  { format: '.h5', models: inKeras315.filter((m) => m.h5), load: whole('h5') },
  { format: '.keras of 3.16', models: inKeras316, load: whole('keras') },
  {
    format: '.keras of 3.16, told so',
    models: inKeras316,
    load: whole('keras'),
    rule: 'keras-3.16',
  },
];

const list = (value) => (Array.isArray(value) ? value : Object.values(value));
const structured = (recorded, made) => {
  const take = (value) => {
    const tensor = toTensor(value);
    made.push(tensor);
    return tensor;
  };
  if (!Array.isArray(recorded)) {
    return Object.fromEntries(Object.entries(recorded).map(([key, value]) => [key, take(value)]));
  }
  return recorded.length === 1 ? take(recorded[0]) : recorded.map(take);
};

/** One recorded model in one format: { problem: string | null, error: number }. */
export async function checkModel({ load, rule }, entry) {
  const made = [];
  const warnings = new Set();
  const warn = console.warn;
  console.warn = (message) => warnings.add(/layer '([^']*)'/.exec(message)?.[1] ?? message);
  let model;
  try {
    const recorded = readFixture(`${entry.folder}/${entry.name}.io.json`);
    model = await load(entry, rule ? { maskPropagation: rule } : {}, recorded);
    warnings.clear();
    return { problem: null, error: check(model, recorded, made, warnings) };
  } catch (error) {
    return { problem: `${error.name}: ${error.message}`, error: 0 };
  } finally {
    console.warn = warn;
    for (const tensor of made) tensor.dispose();
    model?.dispose();
  }
}

const kTolerance = 1e-5;

/** Throws what differs, returns the worst relative error. */
function check(model, recorded, made, warnings) {
  const inputs = structured(recorded.inputs, made);
  const call = (how = 'apply') => {
    const result = model[how](inputs);
    const outputs = result instanceof mf.Tensor ? [result] : list(result);
    made.push(...outputs);
    return {
      outputs,
      keys: Array.isArray(result) || result instanceof mf.Tensor ? null : Object.keys(result),
    };
  };
  checkWeights(model, recorded);
  const first = call();
  let worst = compare(first, recorded.outputs, recorded.masks);
  checkWarnings(warnings, recorded.layers_warning_mask_destroyed, model.getConfig());
  if (recorded.second_call_outputs) {
    worst = Math.max(worst, compare(call(), recorded.second_call_outputs, recorded.masks));
    model.resetStates();
    worst = Math.max(worst, compare(call(), recorded.after_reset_outputs, recorded.masks));
    model.resetStates();
  }
  worst = Math.max(worst, compare(call('predict'), recorded.outputs, null));
  if (recorded.evaluate) checkEvaluation(model, inputs, recorded, made);
  return worst;
}

function compare({ outputs, keys }, recorded, masks) {
  const wanted = list(recorded);
  if (keys && !Array.isArray(recorded) && keys.join() !== Object.keys(recorded).join()) {
    throw new Error(`the outputs are named ${keys}, not ${Object.keys(recorded)}`);
  }
  if (outputs.length !== wanted.length) {
    throw new Error(`${outputs.length} outputs in place of ${wanted.length}`);
  }
  let worst = 0;
  for (const [i, output] of outputs.entries()) {
    const { shape, values } = decode(wanted[i]);
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

function compareMask(mask, recorded, i) {
  const show = (values) => [...values].map((keep) => (keep ? 'T' : 'F')).join('');
  const wanted = recorded ? show(decode(recorded).values) : 'none';
  const got = mask ? show(mask.data()) : 'none';
  mask?.dispose();
  if (got !== wanted) throw new Error(`the mask of output ${i} is ${got}, not ${wanted}`);
}

function checkWeights(model, { weights }) {
  const shapes = model.weights.map(({ shape }) => String(shape)).sort();
  const wanted = weights.map(({ shape }) => String(shape)).sort();
  if (shapes.join(' ') !== wanted.join(' ')) {
    throw new Error(`the weights have shapes ${shapes.join(' ')}, not ${wanted.join(' ')}`);
  }
}

/** Layers inside of Bidirectional, by all names that Keras gives them. */
function directions(config) {
  if (typeof config !== 'object' || config === null) return [];
  const below = Object.values(config).flatMap(directions);
  if (config.class_name !== 'Bidirectional') return below;
  const { layer, backward_layer: backward } = config.config;
  const names = [layer, backward].filter(Boolean).map((inner) => inner.config.name);
  return [...below, ...names.flatMap((name) => [name, `forward_${name}`, `backward_${name}`])];
}

// Keras says it of Bidirectional and of both layers inside; here it is said once.
function checkWarnings(warnings, recorded, config) {
  const inside = directions(config);
  const wanted = recorded.filter((name) => !inside.includes(name)).sort();
  const got = [...warnings].sort();
  if (got.join() !== wanted.join()) {
    throw new Error(`warned of masks dropped by [${got}], not by [${wanted}]`);
  }
}

// Its loss includes regularisers, which belong to training.
const notEvaluated = ['regularized_constrained'];

function checkEvaluation(model, inputs, { name, evaluate }, made) {
  if (notEvaluated.includes(name)) return;
  const y = toTensor(evaluate.y);
  const sampleWeight = toTensor(evaluate.sample_weight);
  made.push(y, sampleWeight);
  const options = {
    loss: evaluate.loss,
    metrics: evaluate.metrics,
    weightedMetrics: evaluate.weighted_metrics,
  };
  const runs = [
    [options, evaluate.result],
    [{ ...options, sampleWeight }, evaluate.weighted_result],
  ];
  for (const [given, wanted] of runs) {
    const got = model.evaluate(inputs, y, given);
    for (const [key, value] of Object.entries(wanted)) {
      const error = worstError([got[key]], [value]);
      if (!(error <= kTolerance)) throw new Error(`${key} is ${got[key]}, not ${value}`);
    }
  }
}

/** All models of a format: { family, passed, total, worst, problems }, as of the families of layers. */
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

/** All formats; whatever rule about masks was chosen before, the models are those of Keras 3.15 unless a file says more. */
export async function runFormats() {
  await mf.ready({ maskPropagation: 'keras-3.15', onMaskDropped: 'warn' });
  const rows = [];
  for (const format of formats) rows.push(await runFormat(format));
  return rows;
}

/** The trained models beside `trained/`: what they were recorded to say. */
export const trained = ['adding', 'brackets', 'sensor'];

/** The worst absolute difference from the recorded outputs, which are rounded to six digits. */
export async function checkTrained(name) {
  const { examples } = JSON.parse(readFileSync(pathOf(`trained/${name}.json`), 'utf8'));
  const model = await mf.loadModel(pathOf(`trained/${name}.keras`));
  let worst = 0;
  for (const example of examples) {
    const input = example.ids
      ? mf.tensor([example.ids], { dtype: 'int32' })
      : mf.tensor([example.input], { dtype: 'float32' });
    const output = model.predict(input);
    for (const [got, wanted] of recordedPairs(output.array()[0], example)) {
      worst = Math.max(worst, Math.abs(got - wanted));
    }
    input.dispose();
    output.dispose();
  }
  model.dispose();
  return { worst, examples: examples.length };
}

/** All numbers where they are recorded, else the greatest of each step and its place. */
function recordedPairs(output, { output: recorded, argmax, max_probability: greatest }) {
  if (recorded !== undefined) {
    const wanted = [recorded].flat(2);
    const got = output.flat();
    if (got.length !== wanted.length)
      throw new Error(`${got.length} numbers, not ${wanted.length}`);
    return got.map((value, i) => [value, wanted[i]]);
  }
  return output.flatMap((step, t) => [
    [step[argmax[t]], greatest[t]],
    [step.indexOf(Math.max(...step)), argmax[t]],
  ]);
}

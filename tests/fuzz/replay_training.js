// SPDX-License-Identifier: MIT
// Replays recordings of keras_training.py: trains the same model by the same steps and compares
// every weight after every step, the optimizer's variables and the history.
import * as mf from '../../dist/train.js';
import { decode, toTensor } from '../support/recorded_cases.js';

const alone = (values) => (values.length > 1 ? values : values[0]);
/** Converts Python's words for numbers that JSON lacks. */
const numberOf = (value) => Number(String(value).replace('inf', 'Infinity'));

const isSame = (a, b) => a === b || (Number.isNaN(a) && Number.isNaN(b));

/**
 * Returns the largest difference between two lists, by `measure`; Infinity if a number is finite in
 * only one of them.
 */
function largest(got, wanted, measure) {
  let max = 0;
  for (let i = 0; i < wanted.length; i++) {
    if (isSame(got[i], wanted[i])) continue;
    const distance = measure(Math.abs(got[i] - wanted[i]), Math.abs(wanted[i]));
    max = Number.isFinite(distance) ? Math.max(max, distance) : Number.POSITIVE_INFINITY;
  }
  return max;
}

/**
 * Returns the largest difference in units of the tolerance. Above 1, it is larger than a different
 * order of sums explains after six steps in float32.
 */
const excess = (got, wanted) => largest(got, wanted, (off, size) => off / (2e-5 + 2e-4 * size));
const distance = (got, wanted) => largest(got, wanted, (off) => off);

/** Returns whether the package is as near to the results in double precision as Keras is. */
const isRounding = (got, wanted, double) =>
  distance(got, double) <= 4 * distance(wanted, double) + 1e-6;

const isWeight = ({ path }) => !/seed/.test(path);

function snapshot(model) {
  const tensors = model.getWeights();
  const values = model.weights.flatMap((weight, i) =>
    isWeight(weight) ? [tensors[i].data()] : [],
  );
  for (const tensor of tensors) tensor.dispose();
  return values;
}

export async function loadTrained({ file, x, y, sample_weight: weights }) {
  const model = await mf.loadModel(Buffer.from(file, 'base64'));
  const data = {
    x: alone(x.map(toTensor)),
    y: alone(y.map(toTensor)),
    ...(weights ? { sampleWeight: alone(weights.map(toTensor)) } : {}),
  };
  return { model, data };
}

/**
 * Returns whether the gradient of a weight consists of rounding errors only. The bias of attention
 * keys adds one number to all scores of a query, which does not change the result.
 */
const isNoise = (path) => /key\/bias$|key_bias/.test(path);

/**
 * Describes how the weights differ after a step. Adds weights that differ only by rounding to
 * `rounded`.
 */
function compareStep(got, recorded, step, rounded) {
  const wanted = recorded.steps[step];
  if (got.length !== wanted.length) return `${got.length} weights, not ${wanted.length}`;
  for (const [i, weight] of wanted.entries()) {
    const { values } = decode(weight);
    if (got[i].length !== values.length) {
      return `${recorded.paths[i]} has ${got[i].length} numbers, not ${values.length}`;
    }
    if (isNoise(recorded.paths[i]) || excess(got[i], values) <= 1) continue;
    const double = recorded.double?.[step][i];
    if (double && isRounding(got[i], values, decode(double).values)) {
      rounded.push(recorded.paths[i]);
      continue;
    }
    const off = distance(got[i], values).toExponential(1);
    const last = recorded.steps.length - 1;
    return `${recorded.paths[i]} differs by ${off} after ${step === last ? 'fit' : `step ${step + 1}`}`;
  }
  return null;
}

function compareHistory(history, wanted) {
  const [got, names] = [Object.keys(history).sort().join(), Object.keys(wanted).sort().join()];
  if (got !== names) return `the history has ${got}, not ${names}`;
  for (const [name, values] of Object.entries(wanted)) {
    for (const [epoch, value] of values.entries()) {
      const [a, b] = [history[name][epoch], numberOf(value)];
      if (!isSame(a, b) && !(Math.abs(a - b) <= 2e-5 + 2e-4 * Math.abs(b))) {
        return `${name} of epoch ${epoch} is ${a}, not ${b}`;
      }
    }
  }
  return null;
}

/** The tolerance depends on the largest gradient, because variables are sums of many gradients. */
function compareOptimizer(optimizer, wanted) {
  const { variables } = optimizer;
  const values = optimizer.getWeights();
  if (variables.length !== wanted.length) {
    return `the optimizer has ${variables.length} variables, not ${wanted.length}`;
  }
  for (const [i, variable] of wanted.entries()) {
    const [got, expected] = [values[i].data(), decode(variable).values];
    if (got.length !== expected.length) return `${variable.path} has ${got.length} numbers`;
    if (isNoise(variable.path)) continue;
    const size = Math.max(...expected.map(Math.abs)) || 1;
    const off = distance(got, expected) / size;
    if (excess(got, expected) > 5 && off > 1e-3) {
      return `the optimizer's ${variable.path} differs by ${off.toExponential(1)} of its size`;
    }
  }
  return null;
}

async function trained(recorded) {
  const { model, data } = await loadTrained(recorded);
  const { x, y, sampleWeight } = data;
  const steps = [];
  try {
    const { history } = await model.fit(x, y, {
      batchSize: recorded.batch,
      epochs: recorded.epochs,
      shuffle: false,
      ...(sampleWeight ? { sampleWeight } : {}),
      ...(recorded.class_weight ? { classWeight: recorded.class_weight } : {}),
      ...(recorded.validate ? { validationData: [x, y] } : {}),
      onBatchEnd: () => {
        steps.push(snapshot(model));
      },
    });
    steps.push(snapshot(model));
    if (steps.length !== recorded.steps.length) {
      return `${steps.length - 1} steps, not ${recorded.steps.length - 1}`;
    }
    const rounded = [];
    for (const [step, got] of steps.entries()) {
      const problem = compareStep(got, recorded, step, rounded);
      if (problem) return problem;
    }
    // Differences of losses and variables are ignored if weights differ by rounding, which causes
    // them.
    if (rounded.length > 0) return null;
    const problem = compareHistory(history, recorded.history);
    return problem ?? compareOptimizer(model.optimizer, recorded.optimizer);
  } finally {
    model.dispose();
  }
}

/** Returns null if the package trains like Keras, else the difference. */
export async function checkTraining(recorded) {
  try {
    const problem = await trained(recorded);
    return problem && `${problem} [${recorded.layers.join(' ')}]`;
  } catch (error) {
    const typed = error instanceof mf.MaskflowError;
    return typed ? `threw ${error.name}: ${error.message}` : `untyped ${error.stack}`;
  }
}

// SPDX-License-Identifier: MIT
// Runs recorded gradients of layers, activation functions and losses, and compares them.
import { readdirSync } from 'node:fs';
import * as mf from '../../dist/train.js';
import { camel, decode, readFixture, toTensor } from './recorded_cases.js';

const folder = new URL('../fixtures/training/vjp/', import.meta.url);

export const gradientFamilies = readdirSync(folder)
  .map((file) => file.replace(/\.json$/, ''))
  .filter((name) => name !== 'index')
  .sort();

const isRecorded = (value) => value !== null && typeof value === 'object' && 'data' in value;
const { multiply, sum, add } = mf.ops;

/**
 * Returns the error of a tensor divided by the allowed error; a result above 1 is wrong. The README
 * of the recordings explains the rule.
 */
export function excess(actual, recording, spread, floor = 0.1) {
  const expected = decode(recording).values;
  let max = 0;
  let error = 0;
  for (let i = 0; i < expected.length; i++) {
    const a = actual[i];
    const b = expected[i];
    if (Object.is(a, b) || a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
    if (Number.isFinite(b)) max = Math.max(max, Math.abs(b));
    const off = Math.abs(a - b);
    error = Math.max(error, Number.isNaN(off) ? Number.POSITIVE_INFINITY : off);
  }
  for (const b of expected) if (Number.isFinite(b)) max = Math.max(max, Math.abs(b));
  return error / (Math.max(1e-5, 8 * (spread ?? 0)) * Math.max(floor, max));
}

class Comparison {
  worst = 0;
  problem = null;
  constructor(spread) {
    this.spread = spread;
  }
  check(title, actual, recording) {
    if (this.problem) return;
    if (recording === null || recording === undefined) {
      if (actual !== null) this.problem = `${title} has a gradient where none was recorded`;
      return;
    }
    if (actual === null) {
      // A missing cotangent equals a zero one.
      if (decode(recording).values.some((x) => x !== 0)) this.problem = `${title} has no gradient`;
      return;
    }
    const { shape } = recording;
    if (actual.shape.join() !== shape.join()) {
      this.problem = `${title} has shape ${actual.shape}, not ${shape}`;
      return;
    }
    const share = excess(actual.data(), recording, recording.spread ?? this.spread);
    this.worst = Math.max(this.worst, share);
    if (!(share <= 1)) this.problem = `${title} is ${share.toPrecision(3)} times too far off`;
  }
}

/** Reads recorded call arguments; tensors of states are added to `states`. */
function callOptions(call, states) {
  const convert = (value) => {
    if (isRecorded(value)) return toTensor(value);
    return Array.isArray(value) ? value.map(convert) : value;
  };
  return Object.fromEntries(
    Object.entries(call).map(([key, value]) => {
      const argument = convert(value);
      if (key === 'initial_state' || key === 'states') states.push(...[argument].flat());
      return [camel(key), argument];
    }),
  );
}

function inputsOf({ inputs, masks, arg }) {
  const tensors = inputs.map(toTensor);
  const masked = tensors.map((x, i) => (masks[i] ? x.withMask(toTensor(masks[i])) : x));
  if (arg === 'single') return [tensors, masked[0]];
  if (arg === 'list') return [tensors, masked];
  return [tensors, Object.fromEntries(arg.map((name, i) => [camel(name), masked[i]]))];
}

/** Returns the sum over outputs of sum(cotangent * output), whose gradients were recorded. */
function weightedSum(outputs, cotangents) {
  let total;
  for (const [i, cotangent] of cotangents.entries()) {
    if (cotangent === null) continue;
    const part = sum(multiply(outputs[i], toTensor(cotangent)));
    total = total ? add(total, part) : part;
  }
  return total;
}

function checkLayer(recording) {
  const comparison = new Comparison(recording.spread);
  const layer = mf.deserializeLayer(recording.layer);
  const [tensors, inputs] = inputsOf(recording);
  const shapes = recording.inputs.map(({ shape }) => shape);
  layer.build(shapes.length === 1 ? shapes[0] : shapes);
  layer.setWeights(recording.weights.map(toTensor));
  const states = [];
  const options = callOptions(recording.call, states);
  for (let call = 1; call < (recording.repeat ?? 1); call++) layer.apply(inputs, options);
  const weights = layer.getWeights();
  const floats = (list) => list.filter(({ dtype }) => dtype === 'float32');
  let outputs;
  const of = [...floats(tensors), ...floats(states), ...floats(weights)];
  const { gradients } = mf.valueAndGradients(() => {
    outputs = [layer.apply(inputs, options)].flat().map((x) => mf.keep(x));
    return weightedSum(outputs, recording.cotangents);
  }, of);
  const { expect } = recording;
  for (const [i, output] of outputs.entries())
    comparison.check(`output ${i}`, output, expect.outputs[i]);
  const weightsAfter = expect.weights_after ? layer.getWeights() : [];
  for (const [i, weight] of weightsAfter.entries()) {
    comparison.check(`weight ${i} after the call`, weight, expect.weights_after[i]);
  }
  let position = 0;
  const take = (x) => (x.dtype === 'float32' ? gradients[position++] : null);
  const { grads } = expect;
  for (const [i, x] of tensors.entries())
    comparison.check(`gradient of input ${i}`, take(x), grads.inputs[i]);
  for (const [i, x] of states.entries())
    comparison.check(`gradient of state ${i}`, take(x), grads.states[i]);
  weights.forEach((x, i) => {
    const actual = take(x);
    if (grads.weights[i] === null && !recording.weights[i].trainable) return;
    comparison.check(`gradient of ${recording.weights[i].name}`, actual, grads.weights[i]);
  });
  layer.dispose();
  return comparison;
}

function checkFunction({ fn, kwargs, x, y, cotangent, grad, spread }) {
  const comparison = new Comparison(spread);
  const name = fn === 'exponential' ? 'exp' : camel(fn);
  const aliases = { swish: 'silu', hardSwish: 'hardSilu' };
  const op = mf.ops[aliases[name] ?? name];
  const settings = Object.fromEntries(Object.entries(kwargs).map(([k, v]) => [camel(k), v]));
  const input = toTensor(x);
  let output;
  const { gradients } = mf.valueAndGradients(() => {
    output = mf.keep(
      Object.keys(kwargs).length === 0
        ? mf.layers.activation({ activation: fn }).apply(input)
        : op(input, settings),
    );
    return sum(multiply(output, toTensor(cotangent)));
  }, [input]);
  comparison.check('value', output, y);
  comparison.check('gradient', gradients[0], grad);
  return comparison;
}

function checkLoss(recording) {
  const comparison = new Comparison(recording.spread);
  const { class_name, config } = recording.loss;
  const { name, reduction, ...settings } = config;
  const yTrue = toTensor(recording.y_true);
  const yPred = toTensor(recording.y_pred);
  const mask = recording.mask && toTensor(recording.mask);
  const sampleWeight = recording.sample_weight && toTensor(recording.sample_weight);
  const key = Object.keys(mf.losses).find((k) => k.toLowerCase() === class_name.toLowerCase());
  if (!key) throw new Error(`there is no loss ${class_name}`);
  const make = mf.losses[key];
  const options = Object.fromEntries(Object.entries(settings).map(([k, v]) => [camel(k), v]));
  let value;
  const { gradients } = mf.valueAndGradients(() => {
    value = mf.keep(
      make(yTrue, mask ? yPred.withMask(mask) : yPred, {
        ...options,
        reduction,
        ...(sampleWeight && { sampleWeight }),
      }),
    );
    return sum(multiply(value, toTensor(recording.cotangent)));
  }, [yPred]);
  comparison.check('value', value, recording.expect.value);
  comparison.check('gradient', gradients[0], recording.expect.grad);
  return comparison;
}

/**
 * Compares one recorded case and returns { problem: string | null, worst: share of the tolerance }.
 */
export function checkGradients(recording) {
  try {
    return mf.tidy(() => {
      if ('fn' in recording) return checkFunction(recording);
      if ('loss' in recording) return checkLoss(recording);
      return checkLayer(recording);
    });
  } catch (error) {
    if (!(error instanceof mf.MaskflowError)) return { problem: `threw ${error.stack}`, worst: 0 };
    return { problem: `threw ${error.name}: ${error.message}`, worst: 0 };
  }
}

export function runGradients(family) {
  const { cases } = readFixture(`training/vjp/${family}.json`);
  const result = { family, passed: 0, total: cases.length, worst: 0, problems: [] };
  for (const recording of cases) {
    if ('regularizer' in recording) {
      result.total--;
      continue;
    }
    const { problem, worst } = checkGradients(recording);
    result.worst = Math.max(result.worst, worst);
    if (problem === null) result.passed++;
    else result.problems.push(`${recording.name}: ${problem}`);
  }
  return result;
}

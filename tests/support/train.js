// SPDX-License-Identifier: MIT
// Small models and data for tests of fit.
import assert from 'node:assert/strict';
import * as mf from '../../dist/train.js';

const { layers, Sequential, tensor } = mf;

/** Rows of whole numbers, all different: what came in which batch can be read off. */
export const rowsOf = (count, width = 1) =>
  Array.from({ length: count }, (_, i) => Array.from({ length: width }, (_, j) => i * width + j));

/** y = 2x. */
export const line = (count) => ({
  x: rowsOf(count).map(([x]) => [x / count]),
  y: rowsOf(count).map(([x]) => [(2 * x) / count]),
});

/** One Dense layer without a bias and with weight 0. */
export function linear({ width = 1, units = 1, ...config } = {}) {
  const dense = { units, useBias: false, kernelInitializer: 'zeros', ...config };
  return new Sequential([mf.Input({ shape: [width] }), layers.dense({ name: 'out', ...dense })]);
}

export const sgd = (learningRate = 0.1) => ({
  class_name: 'SGD',
  config: { learning_rate: learningRate },
});

/** Compiled, with all that training makes once: weights and what the optimizer keeps. */
export function compiled(options = {}) {
  const model = linear(options.layer);
  model.compile({ optimizer: sgd(options.learningRate), loss: 'mse', ...options.compile });
  weightsOf(model);
  model.optimizer.build(model.trainableVariables);
  return model;
}

export const weightsOf = (model) => mf.tidy(() => model.getWeights().map((w) => [...w.data()]));

/** Tensors and bytes alive. */
export function live() {
  const { tensors, bytes } = mf.memory();
  return { tensors, bytes };
}

/** What `f` leaves in the wasm memory, whether it works or throws: nothing. */
export async function leavesNothing(f) {
  const before = live();
  const result = await f();
  assert.deepEqual(live(), before);
  return result;
}

const errors = {
  ConfigError: mf.ConfigError,
  MaskflowError: mf.MaskflowError,
  ShapeError: mf.ShapeError,
  StateError: mf.StateError,
  ValueError: mf.ValueError,
};

/** A rejection of that class that says all of these; weights and memory are as they were. */
export async function refused(model, run, kind, ...patterns) {
  const weights = weightsOf(model);
  const start = live();
  await assert.rejects(run(), (error) => {
    assert.ok(error instanceof errors[kind], `${error.name}, not ${kind}: ${error.message}`);
    for (const pattern of patterns) assert.match(error.message, pattern);
    return true;
  });
  assert.deepEqual(live(), start);
  assert.deepEqual(weightsOf(model), weights);
}

/** What `f` warned of. */
export async function warnings(f) {
  const said = [];
  const { warn } = console;
  console.warn = (message) => said.push(String(message));
  try {
    await f();
  } finally {
    console.warn = warn;
  }
  return said;
}

/** Batches of inputs that a model is trained on, as rows. */
export class Recorder extends mf.Layer {
  batches = [];
  call(inputs, { training }) {
    if (training) this.batches.push([...inputs.data()]);
    return mf.ops.multiply(inputs, 1);
  }
}

/** A model that remembers in which order it saw the first numbers of its rows. */
export function recording() {
  const recorder = new Recorder();
  const model = new Sequential([
    recorder,
    layers.dense({ units: 1, kernelInitializer: 'zeros', useBias: false }),
  ]);
  model.build([null, 1]);
  model.compile({ optimizer: sgd(0), loss: 'mse' });
  return { model, recorder };
}

export { tensor };

// SPDX-License-Identifier: MIT
// Small models and data for tests of fit.
import assert from 'node:assert/strict';
import * as mf from '../../dist/train.js';
import { collectGarbage } from './garbage.js';

const { layers, Sequential, tensor } = mf;

/** Returns rows of distinct integers, by which a test can identify the rows of a batch. */
export const rowsOf = (count, width = 1) =>
  Array.from({ length: count }, (_, i) => Array.from({ length: width }, (_, j) => i * width + j));

/** y = 2x. */
export const line = (count) => ({
  x: rowsOf(count).map(([x]) => [x / count]),
  y: rowsOf(count).map(([x]) => [(2 * x) / count]),
});

/** Creates a Dense layer without a bias, with weight 0. */
export function linear({ width = 1, units = 1, ...config } = {}) {
  const dense = { units, useBias: false, kernelInitializer: 'zeros', ...config };
  return new Sequential([mf.Input({ shape: [width] }), layers.dense({ name: 'out', ...dense })]);
}

export const sgd = (learningRate = 0.1) => ({
  class_name: 'SGD',
  config: { learning_rate: learningRate },
});

/**
 * Returns a compiled model in which everything that training creates once exists: weights and
 * optimizer state.
 */
export function compiledModel(options = {}) {
  const model = linear(options.layer);
  model.compile({ optimizer: sgd(options.learningRate), loss: 'mse', ...options.compile });
  weightsOf(model);
  model.optimizer.build(model.trainableVariables);
  return model;
}

export const weightsOf = (model) => mf.tidy(() => model.getWeights().map((w) => [...w.data()]));

/** Returns the number of tensors and bytes in use in wasm memory. */
export function live() {
  const { tensors, bytes } = mf.memory();
  return { tensors, bytes };
}

/** Asserts that `f` frees all the wasm memory that it uses, whether it succeeds or throws. */
export async function leavesNothing(f) {
  await collectGarbage();
  const memoryBefore = live();
  const result = await f();
  assert.deepEqual(live(), memoryBefore);
  return result;
}

/** Classes of errors by their names. */
export const errors = {
  ConfigError: mf.ConfigError,
  MaskflowError: mf.MaskflowError,
  ShapeError: mf.ShapeError,
  StateError: mf.StateError,
  ValueError: mf.ValueError,
};

/**
 * Asserts that a call rejects with this class and a message that matches all patterns, and changes
 * neither weights nor memory.
 */
export async function assertRefused(model, run, kind, ...patterns) {
  const weights = weightsOf(model);
  await collectGarbage();
  const start = live();
  await assert.rejects(run(), (error) => {
    assert.ok(error instanceof errors[kind], `${error.name}, not ${kind}: ${error.message}`);
    for (const pattern of patterns) assert.match(error.message, pattern);
    return true;
  });
  assert.deepEqual(live(), start);
  assert.deepEqual(weightsOf(model), weights);
}

/** Returns the warnings that `f` causes. */
export async function warnings(f) {
  const messages = [];
  const { warn } = console;
  console.warn = (message) => messages.push(String(message));
  try {
    await f();
  } finally {
    console.warn = warn;
  }
  return messages;
}

/** A layer that records the batches on which a model is trained, as rows. */
export class Recorder extends mf.Layer {
  batches = [];
  call(inputs, { training }) {
    if (training) this.batches.push([...inputs.data()]);
    return mf.ops.multiply(inputs, 1);
  }
}

/** Returns a model that records the order of the rows that it sees, by their first numbers. */
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

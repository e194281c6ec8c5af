// SPDX-License-Identifier: MIT
// Models around recorded layers, and their predictions, for tests of cached results.
import * as mf from '../../dist/train.js';
import { families } from './families.js';
import { camel, readFixture, toTensor } from './recorded_cases.js';

const { Input, layers, ops, tensor } = mf;

const isLayer = (value) => /layers/.test(value.module ?? '') && 'config' in value;

/** Returns the classes of a serialized layer and of its inner layers. */
function classesIn(value) {
  if (value === null || typeof value !== 'object') return [];
  const ownClass = isLayer(value) ? [value.class_name] : [];
  return [...ownClass, ...Object.values(value).flatMap(classesIn)];
}

/**
 * Returns recorded layers with weights: the first and the last case of each combination of classes.
 */
export function recordedCases() {
  const casesByKey = new Map();
  for (const family of families) {
    for (const item of readFixture(`layers/${family}.json`).cases) {
      if ('fn' in item || 'error' in item.expect || !item.weights?.length) continue;
      // A cell alone cannot be called without its states. The recordings include the layers that
      // run cells.
      if (Object.values(item.call).some((value) => typeof value === 'object')) continue;
      const { equation = '' } = item.layer.config;
      const key = `${classesIn(item.layer).join(' > ')} of ${item.arg} ${equation}`.trim();
      casesByKey.set(key, [...(casesByKey.get(key) ?? []), item]);
    }
  }
  return [...casesByKey].map(([name, items]) => ({
    name,
    cases: [...new Set([items[0], items.at(-1)])],
  }));
}

function arrange(arg, symbols) {
  if (arg === 'single') return symbols[0];
  if (arg === 'list') return symbols;
  return Object.fromEntries(arg.map((name, i) => [camel(name), symbols[i]]));
}

/**
 * Builds a model from inputs and a call of its layers. Returns it with its data and the functions
 * that a test of changes needs.
 */
export function modelOf(inputs, call, x) {
  // Each output has its own name, by which its targets are passed.
  const withName = (output) => layers.activation({ activation: 'linear' }).apply(output);
  /** Creates another model with the same layers. */
  const createOther = () => {
    const outputs = call();
    return new mf.Model({
      inputs,
      outputs: Array.isArray(outputs) ? outputs.map(withName) : outputs,
    });
  };
  const model = createOther();
  const outputs = [model.predict(x)].flat();
  model.resetState();
  const y = outputs.map(({ shape }) => ops.zeros(shape));
  return { model, createOther, x, y: y.length > 1 ? y : y[0] };
}

function layerOf(item) {
  const layer = mf.deserializeLayer(item.layer);
  const shapes = item.inputs.map(({ shape }) => shape);
  layer.build(shapes.length === 1 ? shapes[0] : shapes);
  layer.setWeights(item.weights.map(toTensor));
  return layer;
}

/** Returns the recorded options of the call, without the training mode. */
const optionsOf = ({ call: { training: _, ...options } }) =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [camel(name), value]));

/** Builds a model that applies the layer to its inputs as they were recorded. */
export function direct(item) {
  const layer = layerOf(item);
  const symbols = item.inputs.map(({ shape, dtype }) =>
    Input({ batchShape: [null, ...shape.slice(1)], dtype }),
  );
  const x = item.inputs.map(toTensor);
  const [inputs, data] = symbols.length > 1 ? [symbols, x] : [symbols[0], x[0]];
  const call = () => layer.apply(arrange(item.arg, symbols), optionsOf(item));
  return { layer, ...modelOf(inputs, call, data) };
}

const kIds = 11;

/**
 * Builds a model that applies the layer after an Embedding of ids. Returns null if an embedding
 * cannot produce its input.
 */
export function behindEmbedding(item, maskZero = false) {
  const [{ shape, dtype }] = item.inputs;
  if (item.arg !== 'single' || dtype !== 'float32' || shape.length !== 3) return null;
  const layer = layerOf(item);
  const ids = Input({ shape: [shape[1]], dtype: 'int32' });
  const embedding = layers.embedding({ inputDim: kIds, outputDim: shape[2], maskZero });
  const numbers = Array.from({ length: shape[0] * shape[1] }, (_, i) => (i * i + 3 * i) % kIds);
  const x = tensor(Int32Array.from(numbers), { shape: shape.slice(0, 2), dtype: 'int32' });
  const call = () => layer.apply(embedding.apply(ids), optionsOf(item));
  return { layer, embedding, ids, ...modelOf(ids, call, x) };
}

/** Scales the float weights; by default they become a quarter larger. */
export const scaled = (weights, by = 1.25) =>
  weights.map((weight) => (weight.dtype === 'float32' ? ops.multiply(weight, by) : weight));

export const compileFor = (model, y) =>
  model.compile({
    optimizer: mf.optimizers.sgd({ learningRate: 0.5, clipnorm: 1 }),
    loss: Array.isArray(y) ? y.map(() => 'mse') : 'mse',
  });

/** Returns the bits of all outputs, starting from zero states. */
export function bitsOf(model, x) {
  model.resetState();
  const outputs = [model.predict(x)].flat();
  model.resetState();
  return outputs.map((output) => Buffer.from(output.data().buffer).toString('hex')).join(' ');
}

/** Loads a model from the file of this one, which has never run. */
export const freshCopy = async (model) =>
  mf.loadModel(await model.save(undefined, { includeOptimizer: false }));

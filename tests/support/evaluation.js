// SPDX-License-Identifier: MIT
// Runs a case of tests/fuzz/keras_evaluate.py through evaluate and compares the result with
// Keras's.
import * as mf from '../../dist/index.js';

const tensorOf = ({ shape, dtype, values }) =>
  mf.tensor(Float32Array.from(values), { shape, dtype });

/** Decodes recorded tensors: a single one, a list or a dictionary. */
function decode(value) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(decode);
  return 'values' in value
    ? tensorOf(value)
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decode(item)]));
}

function modelOf({ x, masked, outputs, activations, structure }) {
  const input = mf.Input({ shape: x.shape.slice(1) });
  const h = masked ? mf.layers.masking({ maskValue: 0 }).apply(input) : input;
  const tensors = outputs.map((name, i) =>
    mf.layers.activation({ activation: activations[i], name }).apply(h),
  );
  const byName = Object.fromEntries(outputs.map((name, i) => [name, tensors[i]]));
  const modelOutputs = { single: tensors[0], list: tensors, dict: byName }[structure];
  return new mf.Model({ inputs: input, outputs: modelOutputs });
}

const near = (actual, expected) =>
  Object.is(actual, expected) ||
  Math.abs(actual - expected) <= 2e-5 * Math.max(1, Math.abs(expected));

/** Returns null if the results are equal, otherwise a description of the difference. */
export function evaluationDifference(recording) {
  const { expect } = recording;
  let actual;
  try {
    actual = mf.tidy(() =>
      modelOf(recording).evaluate(tensorOf(recording.x), decode(recording.y), {
        loss: recording.loss,
        lossWeights: recording.loss_weights,
        metrics: recording.metrics,
        weightedMetrics: recording.weighted_metrics,
        sampleWeight: recording.sample_weight && decode(recording.sample_weight),
        batchSize: recording.batch_size,
      }),
    );
  } catch (error) {
    if (!(error instanceof mf.MaskflowError)) return `untyped: ${error.stack}`;
    return expect.error ? null : `refused: ${error.message}`;
  }
  if (expect.error) return `accepted; Keras: ${expect.error} ${expect.message ?? ''}`;
  const keys = Object.keys(expect.result).sort();
  if (keys.join() !== Object.keys(actual).sort().join()) {
    return `has ${Object.keys(actual).sort()}, not ${keys}`;
  }
  for (const key of keys) {
    const expected = [expect.result[key]].flat().map(Number);
    const values = [actual[key]].flat();
    if (values.length !== expected.length || !values.every((x, i) => near(x, expected[i]))) {
      return `${key} is ${values}, not ${expected}`;
    }
  }
  return null;
}

// SPDX-License-Identifier: MIT
// Runs a case of tests/fuzz/keras_evaluate.py through evaluate and compares it with what Keras gave.
import * as mf from '../../dist/index.js';

const tensorOf = ({ shape, dtype, values }) =>
  mf.tensor(Float32Array.from(values), { shape, dtype });

/** Recorded tensors, alone, in a list or by name. */
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
  const made = outputs.map((name, i) =>
    mf.layers.activation({ activation: activations[i], name }).apply(h),
  );
  const named = Object.fromEntries(outputs.map((name, i) => [name, made[i]]));
  const given = { single: made[0], list: made, dict: named }[structure];
  return new mf.Model({ inputs: input, outputs: given });
}

const near = (got, wanted) =>
  Object.is(got, wanted) || Math.abs(got - wanted) <= 2e-5 * Math.max(1, Math.abs(wanted));

/** null when they agree, else what differs. */
export function evaluated(recorded) {
  const { expect } = recorded;
  let got;
  try {
    got = mf.tidy(() =>
      modelOf(recorded).evaluate(tensorOf(recorded.x), decode(recorded.y), {
        loss: recorded.loss,
        lossWeights: recorded.loss_weights,
        metrics: recorded.metrics,
        weightedMetrics: recorded.weighted_metrics,
        sampleWeight: recorded.sample_weight && decode(recorded.sample_weight),
        batchSize: recorded.batch_size,
      }),
    );
  } catch (error) {
    if (!(error instanceof mf.MaskflowError)) return `untyped: ${error.stack}`;
    return expect.error ? null : `refused: ${error.message}`;
  }
  if (expect.error) return `accepted; Keras: ${expect.error} ${expect.message ?? ''}`;
  const keys = Object.keys(expect.result).sort();
  if (keys.join() !== Object.keys(got).sort().join()) {
    return `has ${Object.keys(got).sort()}, not ${keys}`;
  }
  for (const key of keys) {
    const wanted = [expect.result[key]].flat().map(Number);
    const mine = [got[key]].flat();
    if (mine.length !== wanted.length || !mine.every((x, i) => near(x, wanted[i]))) {
      return `${key} is ${mine}, not ${wanted}`;
    }
  }
  return null;
}

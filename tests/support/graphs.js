// SPDX-License-Identifier: MIT
// Replays the models that tests/fuzz/keras_order.py recorded.
import * as mf from '../../dist/index.js';

const arrays = { float32: Float32Array, int32: Int32Array, bool: Uint8Array };

function numbers({ dtype, data }) {
  const bytes = Uint8Array.from(Buffer.from(data, 'base64'));
  return new arrays[dtype](bytes.buffer);
}

const tensorOf = (packed) =>
  mf.tensor(numbers(packed), { shape: packed.shape, dtype: packed.dtype });

const near = (a, b) =>
  a === b ||
  Math.abs(a - b) <= 2e-6 ||
  Math.abs(a - b) <= 1e-5 * Math.abs(b) ||
  (Number.isNaN(a) && Number.isNaN(b));

function differs(actual, expected, title) {
  if (!actual !== !expected) return `${title} is ${actual ? 'there' : 'missing'}`;
  if (!actual) return null;
  if (`${actual.shape}` !== `${expected.shape}`)
    return `${title} has shape [${actual.shape}], not [${expected.shape}]`;
  const [a, b] = [actual.data(), numbers(expected)];
  const at = b.findIndex((value, i) => !near(Number(a[i]), value));
  return at < 0 ? null : `${title}: [${at}] ${a[at]}, not ${b[at]}`;
}

/** Returns the difference of a recorded model from Keras, or null. */
export function replay({
  model: config,
  weights,
  inputs,
  masks,
  outputs,
  output_masks: wantedMasks,
}) {
  return mf.tidy(() => {
    const model = mf.Model.fromConfig(config);
    model.setWeights(weights.map(tensorOf));
    const inputTensors = inputs.map((x, i) =>
      masks[i] ? tensorOf(x).withMask(tensorOf(masks[i])) : tensorOf(x),
    );
    const results = [model.apply(inputTensors)].flat();
    for (const [i, expected] of outputs.entries()) {
      const problem =
        differs(results[i], expected, `output ${i}`) ??
        differs(results[i].mask, wantedMasks[i], `the mask of output ${i}`);
      if (problem) return problem;
    }
    return null;
  });
}

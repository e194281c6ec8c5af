// SPDX-License-Identifier: MIT
// Replays the models that tests/fuzz/keras_graphs.py records.
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

function differs(got, wanted, what) {
  if (!got !== !wanted) return `${what} is ${got ? 'there' : 'missing'}`;
  if (!got) return null;
  if (`${got.shape}` !== `${wanted.shape}`)
    return `${what} has shape [${got.shape}], not [${wanted.shape}]`;
  const [a, b] = [got.data(), numbers(wanted)];
  const at = b.findIndex((value, i) => !near(Number(a[i]), value));
  return at < 0 ? null : `${what}: [${at}] ${a[at]}, not ${b[at]}`;
}

/** What is different from Keras in a recorded model, null if nothing is. */
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
    const given = inputs.map((x, i) =>
      masks[i] ? tensorOf(x).withMask(tensorOf(masks[i])) : tensorOf(x),
    );
    const results = [model.apply(given)].flat();
    for (const [i, wanted] of outputs.entries()) {
      const problem =
        differs(results[i], wanted, `output ${i}`) ??
        differs(results[i].mask, wantedMasks[i], `the mask of output ${i}`);
      if (problem) return problem;
    }
    return null;
  });
}

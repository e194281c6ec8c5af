// SPDX-License-Identifier: MIT
// Replays the recordings of tests/fixtures/tfjs_layers: models that TF.js made and saved.
import * as mf from '../../dist/index.js';

const inputOf = ({ shape, values }) => mf.tensor(Float32Array.from(values), { shape });

/** Returns the files that TF.js wrote, for `loadModel`. */
export const filesOf = ({ json, weights }) => [
  { name: 'model.json', data: new TextEncoder().encode(JSON.stringify(json)) },
  { name: 'weights.bin', data: new Uint8Array(Buffer.from(weights, 'base64')) },
];

/** Returns null if the model loads with TF.js's results, else the difference. */
export async function tfjsDifference(recorded, use = () => {}) {
  let model;
  try {
    model = await mf.loadModel({ files: filesOf(recorded) });
  } catch (error) {
    return `threw ${error.name}: ${error.message}`;
  }
  const inputs = recorded.inputs.map(inputOf);
  try {
    const results = [model.predict(inputs.length > 1 ? inputs : inputs[0])].flat();
    for (const [i, { shape, values }] of recorded.outputs.entries()) {
      if (String(results[i].shape) !== String(shape))
        return `shape ${results[i].shape}, not ${shape}`;
      const data = results[i].data();
      const max = Math.max(...values.map((value, k) => Math.abs(value - data[k])));
      if (!(max <= 1e-5)) return `differs by ${max}`;
    }
    await use(model, inputs, results);
    return null;
  } catch (error) {
    return `threw ${error.name}: ${error.message}`;
  } finally {
    model.dispose();
  }
}

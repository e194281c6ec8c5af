// SPDX-License-Identifier: MIT
// node tests/oracle/record_tfjs.mjs [--check]: predicts with the models of tests/fixtures/tfjs in
// TensorFlow.js and writes the results to their io.json. Needs @tensorflow/tfjs 4.22, which the
// tests do without: npm install --no-save @tensorflow/tfjs@4.22
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as tf from '@tensorflow/tfjs';

const check = process.argv.includes('--check');
const folder = new URL('../fixtures/tfjs/', import.meta.url);
/**
 * Largest distance of numbers, relative to the larger of 1 and the number, that is left as it is.
 */
const tolerance = 1e-6;

const isNear = (a, b) => Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a));

/** Returns a handler that reads a model and its shards from a folder. */
function handlerOf(path) {
  const bytesOf = (name) => readFileSync(new URL(name, path));
  const { modelTopology, weightsManifest } = JSON.parse(bytesOf('model.json'));
  const shards = weightsManifest.flatMap((group) => group.paths.map(bytesOf));
  const joined = Buffer.concat(shards);
  const weightData = joined.buffer.slice(joined.byteOffset, joined.byteOffset + joined.length);
  const weightSpecs = weightsManifest.flatMap((group) => group.weights);
  return tf.io.fromMemory({ modelTopology, weightSpecs, weightData });
}

/** Returns what a model predicts for recorded inputs, in the form of io.json. */
async function outputsOf(path, inputs) {
  const model = await tf.loadLayersModel(handlerOf(path));
  const tensors = inputs.map(({ values, shape, dtype }) => tf.tensor(values, shape, dtype));
  const result = model.predict(tensors.length === 1 ? tensors[0] : tensors);
  return [result].flat().map((tensor) => ({
    shape: tensor.shape,
    dtype: tensor.dtype,
    values: [...tensor.dataSync()],
  }));
}

/** Returns whether two results have the same shapes, and numbers within the tolerance. */
const agree = (recorded, now) =>
  recorded.length === now.length &&
  recorded.every(
    ({ shape, values }, index) =>
      String(shape) === String(now[index].shape) &&
      values.every((value, at) => isNear(value, now[index].values[at])),
  );

await tf.setBackend('cpu');
const names = readdirSync(folder).sort();
let same = 0;
for (const name of names) {
  const path = new URL(`${name}/`, folder);
  const io = JSON.parse(readFileSync(new URL('io.json', path), 'utf8'));
  const outputs = await outputsOf(path, io.inputs);
  if (agree(io.outputs, outputs)) {
    same++;
    continue;
  }
  console.log(`${name}: the outputs differ`);
  if (!check) writeFileSync(new URL('io.json', path), JSON.stringify({ ...io, outputs }));
}
console.log(`TensorFlow.js ${tf.version_core}: ${same} of ${names.length} models as recorded`);
process.exitCode = check && same < names.length ? 1 : 0;

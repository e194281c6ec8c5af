// SPDX-License-Identifier: MIT
// Models and scripts for tests of workers and pools.
import { Worker } from 'node:worker_threads';
import * as mf from '../../dist/index.js';
import { decode, readFixture } from './recorded_cases.js';

export const own = new URL('./own_worker.js', import.meta.url);
export const brackets = new URL('../fixtures/trained/brackets.keras', import.meta.url);

/** Returns a factory of workers whose layer Fragile ends its thread `times` times. */
export function fragileWorkers(times) {
  const left = new Int32Array(new SharedArrayBuffer(4));
  left[0] = times;
  return () => new Worker(own, { workerData: { left } });
}

class Fragile extends mf.Layer {
  call(inputs) {
    return mf.ops.multiply(inputs, 2);
  }
}

/**
 * Returns the file of a model that doubles its input with a layer that only the custom script
 * knows.
 */
export async function fragileFile() {
  await mf.ready();
  mf.registerLayer(Fragile, { package: 'Tests', name: 'Fragile' });
  const model = new mf.Sequential([mf.Input({ shape: [1] }), new Fragile()]);
  model.predict([[0]]).dispose();
  return model.save();
}

/** Returns the file of a masked classifier of ids with weights from a formula. */
export async function classifier(units = 16) {
  await mf.ready();
  const model = new mf.Sequential([
    mf.Input({ shape: [null], dtype: 'int32' }),
    mf.layers.embedding({ inputDim: 50, outputDim: 8, maskZero: true }),
    mf.layers.bidirectional({ layer: mf.layers.lstm({ units }) }),
    mf.layers.dense({ units: 2, activation: 'softmax' }),
  ]);
  model.setWeights(
    model.weights.map(({ shape }, i) =>
      Float32Array.from(
        { length: shape.reduce((a, b) => a * b, 1) },
        (_, j) => 0.3 * Math.sin(1.7 * j + i),
      ),
    ),
  );
  return { model, file: await model.save() };
}

/** Returns `rows` rows of ids with varying lengths, padded with zeros. */
export function raggedIds(rows, steps) {
  const data = new Int32Array(rows * steps);
  for (let row = 0; row < rows; row++) {
    const length = 1 + ((row * 7) % steps);
    for (let step = 0; step < length; step++) data[row * steps + step] = 1 + ((row + step) % 49);
  }
  return { data, shape: [rows, steps] };
}

/** Returns recorded inputs, converted for a worker's model. */
export function recordedInputs(folder, name) {
  const recording = readFixture(`${folder}/${name}.io.json`);
  const input = (value) => {
    const { shape, dtype, values } = decode(value);
    return { shape, dtype, data: values };
  };
  const { inputs } = recording;
  if (!Array.isArray(inputs)) {
    const pairs = Object.entries(inputs).map(([key, value]) => [key, input(value)]);
    return { recorded: recording, inputs: Object.fromEntries(pairs) };
  }
  return {
    recorded: recording,
    inputs: inputs.length === 1 ? input(inputs[0]) : inputs.map(input),
  };
}

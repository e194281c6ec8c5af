// SPDX-License-Identifier: MIT
// Random stacks of layers and random requests: batched() must return the bits of single calls, and
// the errors of single calls, whatever the layers do with masks and with padding.
import * as mf from '../../dist/index.js';
import { batched } from '../../dist/worker.js';
import { generator, integer, pick } from '../support/random.js';

const { Input, layers, ops, Sequential } = mf;

/** Layers that keep the time axis, some of which lose masks or mix steps. */
const between = [
  () => layers.dense({ units: 5 }),
  () => layers.dense({ units: 5, activation: 'relu' }),
  () => layers.lstm({ units: 4, returnSequences: true }),
  () => layers.gru({ units: 4, returnSequences: true, goBackwards: true }),
  () => layers.bidirectional({ layer: layers.gru({ units: 3, returnSequences: true }) }),
  () => layers.conv1D({ filters: 4, kernelSize: 3, padding: 'same' }),
  () => layers.conv1D({ filters: 4, kernelSize: 2, padding: 'causal', activation: 'relu' }),
  () => layers.masking(),
  () => layers.masking({ maskValue: 0.5 }),
  () => layers.layerNormalization(),
  () => layers.batchNormalization(),
  () => layers.timeDistributed({ layer: layers.dense({ units: 3 }) }),
  () => layers.upSampling1D({ size: 2 }),
  () => layers.averagePooling1D({ poolSize: 2, padding: 'same' }),
  () => layers.zeroPadding1D({ padding: 1 }),
  () => layers.lambda({ function: (x) => ops.add(x, 1) }),
  () => layers.lambda({ function: (x) => ops.cumsum(x, { axis: 1 }) }),
  () => layers.lambda({ function: (x) => ops.flip(x, { axis: 1 }), mask: (_, mask) => mask }),
  () => layers.activation({ activation: 'softmax' }),
];
const endings = [
  () => layers.lstm({ units: 3 }),
  () => layers.simpleRNN({ units: 3, goBackwards: true }),
  () => layers.globalAveragePooling1D(),
  () => layers.globalMaxPooling1D(),
  () => layers.lambda({ function: (x) => ops.mean(x, { axis: 1 }) }),
];

function modelOf(random) {
  const isIds = integer(random, 0, 1) === 0;
  const input = isIds ? Input({ shape: [null], dtype: 'int32' }) : Input({ shape: [null, 2] });
  const first = isIds
    ? layers.embedding({ inputDim: 9, outputDim: 4, maskZero: integer(random, 0, 3) > 0 })
    : layers.masking({ maskValue: pick(random, [0, 0, 1]) });
  const middle = Array.from({ length: integer(random, 0, 3) }, () => pick(random, between)());
  const last = integer(random, 0, 2) > 0 ? [pick(random, endings)()] : [];
  const model = new Sequential([input, first, ...middle, ...last]);
  const values = model.weights.map(({ shape }, i) =>
    Float32Array.from(
      { length: shape.reduce((a, b) => a * b, 1) },
      (_, j) => 0.4 * Math.sin(1.7 * j + i) + 0.1,
    ),
  );
  model.setWeights(values);
  return { model, isIds };
}

function rowOf(random, isIds) {
  // Id 9 and above are outside the table.
  const id = () => integer(random, 0, integer(random, 0, 19) > 0 ? 8 : 10);
  const number = () => (isIds ? id() : pick(random, [0, 0, 1, 0.5, integer(random, -4, 4)]));
  const step = () => (isIds ? number() : [number(), number()]);
  return Array.from({ length: pick(random, [1, 2, 3, 5, 8]) }, step);
}

const told = ({ name, message }) => `${name}: ${message}`;

/** The result of a single call as text. */
function alone(model, row) {
  try {
    return mf.tidy(() => JSON.stringify(model.predict([row]).array()[0]));
  } catch (error) {
    return told(error);
  }
}

async function runCase(number) {
  const random = generator(number);
  const { model, isIds } = modelOf(random);
  const padValue = pick(random, [0, 0, 0, 1, null]);
  const one = batched(model, { maxBatch: pick(random, [3, 8, 64]), padValue });
  const failures = [];
  for (let round = 0; round < 4; round++) {
    const rows = Array.from({ length: integer(random, 1, 12) }, () => rowOf(random, isIds));
    const results = await Promise.allSettled(rows.map((row) => one.predict(row)));
    results.forEach(({ value, reason }, i) => {
      const found = value ? JSON.stringify(value.array()) : told(reason);
      const expected = alone(model, rows[i]);
      if (found !== expected) {
        const stack = model.layers.map(({ className }) => className).join(', ');
        failures.push(`case ${number}, round ${round}, ${stack}: ${found}, not ${expected}`);
      }
    });
  }
  model.dispose();
  return failures;
}

/** Runs cases `from` to `to` (exclusive); returns what went wrong. */
export async function fuzzBatched(from, to, tell = () => {}) {
  await mf.ready({ onMaskDropped: 'silent' });
  const failures = [];
  for (let number = from; number < to; number++) {
    try {
      failures.push(...(await runCase(number)));
    } catch (error) {
      failures.push(`case ${number}: ${error.stack}`);
    }
    tell(number - from + 1);
  }
  return failures;
}

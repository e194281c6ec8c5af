// SPDX-License-Identifier: MIT
// Forecasts the next reading of a sensor with a GRU, and compares it with two forecasts without
// training: the last reading, and the mean. Some readings are missing; a mask leaves them out.
import { layers, optimizers, ready, schedules, Sequential, tensor } from 'maskflow/train';

const steps = 40;
const missing = -9;
let state = 11;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

/** Returns two waves with noise; a fifth of the readings is missing. */
function series() {
  const [slow, fast] = [20 + 20 * random(), 8 + 8 * random()];
  const [a, b] = [2 * Math.PI * random(), 2 * Math.PI * random()];
  const reading = (t) =>
    Math.sin((2 * Math.PI * t) / slow + a) +
    0.5 * Math.sin((2 * Math.PI * t) / fast + b) +
    0.1 * (random() - 0.5);
  const readings = Array.from({ length: steps + 1 }, (_, t) => reading(t));
  const next = readings.pop();
  const seen = readings.map((value) => (random() < 0.2 ? missing : value));
  const last = seen.findLast((value) => value !== missing) ?? 0;
  return { seen, next, last };
}

const allSeries = Array.from({ length: 2600 }, series);
const [train, test] = [allSeries.slice(0, 2000), allSeries.slice(2000)];
// Each step has the reading and its distance to the forecast, because a GRU cannot count masked
// steps.
const inputs = (rows) =>
  tensor(
    rows.map(({ seen }) =>
      seen.map((value, t) =>
        value === missing ? [missing, missing] : [value, (steps - t) / steps],
      ),
    ),
  );
const targets = (rows) => tensor(rows.map(({ next }) => [next]));
const rmse = (errors) => Math.sqrt(errors.reduce((sum, e) => sum + e * e, 0) / errors.length);

await ready({ seed: 1 });
const model = new Sequential([
  layers.masking({ maskValue: missing }),
  layers.gru({ units: 32 }),
  layers.dense({ units: 1 }),
]);
const epochs = 20;
const batchSize = 50;
const learningRate = schedules.cosineDecay({
  initialLearningRate: 0.01,
  decaySteps: (epochs * train.length) / batchSize,
});
model.compile({ optimizer: optimizers.adam({ learningRate }), loss: 'mse' });
await model.fit(inputs(train), targets(train), { epochs, batchSize, seed: 1 });

const forecasts = model.predict(inputs(test)).data();
const mean = train.reduce((sum, { next }) => sum + next, 0) / train.length;
console.table({
  GRU: { 'root mean square error': rmse(test.map(({ next }, i) => next - forecasts[i])) },
  'last reading': { 'root mean square error': rmse(test.map(({ next, last }) => next - last)) },
  mean: { 'root mean square error': rmse(test.map(({ next }) => next - mean)) },
});

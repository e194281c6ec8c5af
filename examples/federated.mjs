// SPDX-License-Identifier: MIT
// Three threads train one model on data that never leave them; each has only two of three classes.
// In each round all threads begin with the same weights and return their own; the mean of these
// begins the next round.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Input, layers, ready, Sequential, tensor } from 'maskflow/train';

const rounds = 8;
const steps = 20;
const classes = ['falls', 'rises', 'swings'];

/** Returns sequences of different lengths of these classes; 0 is padding. */
function dataOf(kinds, rows, seed) {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const shapes = [(t) => 1 - 2 * t, (t) => 2 * t - 1, (t) => Math.sin(2 * Math.PI * t)];
  const labels = Array.from({ length: rows }, (_, i) => kinds[i % kinds.length]);
  const sequences = labels.map((label) => {
    const length = 8 + Math.floor(random() * (steps - 7));
    const value = (t) =>
      t < length ? shapes[label](t / (length - 1)) + 0.6 * (random() - 0.5) : 0;
    return Array.from({ length: steps }, (_, t) => [value(t)]);
  });
  return {
    x: tensor(sequences),
    y: tensor(
      labels.map((label) => [label]),
      { dtype: 'int32' },
    ),
  };
}

function makeModel() {
  const model = new Sequential([
    Input({ shape: [null, 1] }),
    layers.masking(),
    layers.gru({ units: 12 }),
    layers.dense({ units: classes.length, activation: 'softmax' }),
  ]);
  const optimizer = { class_name: 'Adam', config: { learning_rate: 0.01 } };
  model.compile({ optimizer, loss: 'sparse_categorical_crossentropy', metrics: ['accuracy'] });
  return model;
}

const weightsOf = (model) => model.getWeights().map((weight) => weight.data());

/** Runs in a thread: keeps its own data, receives weights, trains, and returns its weights. */
async function serve({ kinds, seed }) {
  await ready();
  const model = makeModel();
  const { x, y } = dataOf(kinds, 120, seed);
  parentPort.on('message', async (weights) => {
    model.setWeights(weights);
    await model.fit(x, y, { epochs: 2, batchSize: 20, seed });
    parentPort.postMessage(weightsOf(model));
  });
}

const answer = (worker, weights) =>
  new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.postMessage(weights);
  });

const meanOf = (weightSets) =>
  weightSets[0].map((weight, i) =>
    weight.map((_, j) => weightSets.reduce((sum, set) => sum + set[i][j] / weightSets.length, 0)),
  );

async function main() {
  await ready({ seed: 1 });
  const model = makeModel();
  const test = dataOf([0, 1, 2], 300, 99);
  const accuracy = async (weights) => {
    model.setWeights(weights);
    return (await model.evaluate(test.x, test.y)).accuracy;
  };
  const pairs = [
    [0, 1],
    [1, 2],
    [2, 0],
  ];
  const workers = pairs.map(
    (kinds, i) => new Worker(new URL(import.meta.url), { workerData: { kinds, seed: i + 1 } }),
  );
  let weights = weightsOf(model);
  for (let round = 1; round <= rounds; round++) {
    const trainedWeights = await Promise.all(workers.map((worker) => answer(worker, weights)));
    weights = meanOf(trainedWeights);
    const accuracies = [];
    for (const threadWeights of trainedWeights)
      accuracies.push((await accuracy(threadWeights)).toFixed(2));
    console.log(
      `round ${round}: each alone ${accuracies.join(', ')}; their mean ${(await accuracy(weights)).toFixed(2)}`,
    );
  }
  for (const worker of workers) await worker.terminate();
}

await (isMainThread ? main() : serve(workerData));

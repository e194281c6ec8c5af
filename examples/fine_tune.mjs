// SPDX-License-Identifier: MIT
// Opens a classifier of brackets that Keras trained, freezes all of it but the last layer, and teaches that one another question: is
// the string deeper than two? Frozen weights stay the same bits.
//   node fine_tune.mjs brackets.keras
import { callbacks, layers, loadModel, padSequences, Model, ready, tensor } from 'maskflow/train';

await ready({ seed: 1 });
const base = await loadModel(process.argv[2] ?? 'brackets.keras', { compile: false });

// The vocabulary that the file was trained with.
const ids = new Map([...'()[]{}'].map((character, i) => [character, i + 1]));
let state = 1;
const below = (count) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * count);
};

/** A balanced string, and whether more than two of its brackets are open at once. */
function sample() {
  const waiting = [];
  let text = '';
  let deepest = 0;
  for (let left = 2 * (1 + below(12)); left > 0; left--) {
    const opens = waiting.length < Math.min(left, 4) && below(2) === 1;
    if (waiting.length === 0 || opens) {
      const kind = below(3);
      text += '([{'[kind];
      deepest = Math.max(deepest, waiting.push(kind));
    } else {
      text += ')]}'[waiting.pop()];
    }
  }
  return { text, deep: deepest > 2 ? 1 : 0 };
}

function rowsOf(count) {
  const samples = Array.from({ length: count }, sample);
  const rows = samples.map(({ text }) => [...text].map((character) => ids.get(character)));
  return {
    x: padSequences(rows, { padding: 'post' }),
    y: tensor(samples.map(({ deep }) => [deep])),
  };
}

// All but its last layer, and a new head.
const [input] = base.inputs;
const features = base.layers.slice(0, -1).reduce((x, layer) => layer.apply(x), input);
const hidden = layers.dense({ units: 16, activation: 'relu', name: 'hidden' }).apply(features);
const deep = layers.dense({ units: 1, activation: 'sigmoid', name: 'deep' }).apply(hidden);
const model = new Model({ inputs: input, outputs: deep });

const frozen = base.layers.slice(0, -1);
for (const layer of frozen) layer.trainable = false;
model.compile({ optimizer: 'adam', loss: 'binary_crossentropy', metrics: ['accuracy'] });
console.log('trains:', model.trainableVariables.map(({ path }) => path).join(', '));

const bits = () =>
  frozen.map((layer) =>
    layer.getWeights().map((weight) => [...new Int32Array(weight.data().buffer)]),
  );
const before = JSON.stringify(bits());
const { x, y } = rowsOf(1500);
const held = rowsOf(500);
const first = await model.evaluate(held.x, held.y);
await model.fit(x, y, {
  epochs: 15,
  seed: 1,
  validationSplit: 0.1,
  callbacks: [callbacks.earlyStopping({ patience: 3, restoreBestWeights: true })],
});
const last = await model.evaluate(held.x, held.y);
console.log(
  `accuracy on other strings: ${first.accuracy.toFixed(3)} before, ${last.accuracy.toFixed(3)} after`,
);
console.log(
  `the ${JSON.parse(before).flat().length} frozen weights are the same bits: ${JSON.stringify(bits()) === before}`,
);

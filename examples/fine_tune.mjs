// SPDX-License-Identifier: MIT
// Loads a classifier of brackets that Keras trained, freezes it except its last layer, and replaces
// that layer to answer another question: is the string nested more than two deep? The frozen
// weights do not change by a single bit.
//   node fine_tune.mjs brackets.keras
import { callbacks, layers, loadModel, padSequences, Model, ready, tensor } from 'maskflow/train';

await ready({ seed: 1 });
const base = await loadModel(process.argv[2] ?? 'brackets.keras', { compile: false });

// The vocabulary with which the file was trained.
const ids = new Map([...'()[]{}'].map((character, i) => [character, i + 1]));
let state = 1;
const below = (count) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * count);
};

/** Returns a balanced string, and whether more than two of its brackets are open at once. */
function sample() {
  const openBrackets = [];
  let text = '';
  let deepest = 0;
  for (let remaining = 2 * (1 + below(12)); remaining > 0; remaining--) {
    const opens = openBrackets.length < Math.min(remaining, 4) && below(2) === 1;
    if (openBrackets.length === 0 || opens) {
      const kind = below(3);
      text += '([{'[kind];
      deepest = Math.max(deepest, openBrackets.push(kind));
    } else {
      text += ')]}'[openBrackets.pop()];
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

// All layers except the last one, and a new head.
const [input] = base.inputs;
const features = base.layers.slice(0, -1).reduce((x, layer) => layer.apply(x), input);
const hidden = layers.dense({ units: 16, activation: 'relu', name: 'hidden' }).apply(features);
const deep = layers.dense({ units: 1, activation: 'sigmoid', name: 'deep' }).apply(hidden);
const model = new Model({ inputs: input, outputs: deep });

const frozenLayers = base.layers.slice(0, -1);
for (const layer of frozenLayers) layer.trainable = false;
model.compile({ optimizer: 'adam', loss: 'binary_crossentropy', metrics: ['accuracy'] });
console.log('trains:', model.trainableVariables.map(({ path }) => path).join(', '));

const bits = () =>
  frozenLayers.map((layer) =>
    layer.getWeights().map((weight) => [...new Int32Array(weight.data().buffer)]),
  );
const bitsBefore = JSON.stringify(bits());
const { x, y } = rowsOf(1500);
const test = rowsOf(500);
const before = await model.evaluate(test.x, test.y);
await model.fit(x, y, {
  epochs: 15,
  seed: 1,
  validationSplit: 0.1,
  callbacks: [callbacks.earlyStopping({ patience: 3, restoreBestWeights: true })],
});
const after = await model.evaluate(test.x, test.y);
console.log(
  `accuracy on other strings: ${before.accuracy.toFixed(3)} before, ${after.accuracy.toFixed(3)} after`,
);
console.log(
  `the ${JSON.parse(bitsBefore).flat().length} frozen weights are the same bits: ${JSON.stringify(bits()) === bitsBefore}`,
);

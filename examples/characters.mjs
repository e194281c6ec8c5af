// SPDX-License-Identifier: MIT
// A character model: it learns from names which character comes next at each step. Then it writes
// new names one character at a time through a stream, which computes one step instead of the whole
// sequence again.
import { Input, layers, ready, Sequential, tensor } from 'maskflow/train';

const names =
  `amelia anders anneke antonia astrid aurelia beatrix benedikt birgit bruno camilla casimir cecilia clemens cordula
dagmar damian dorothea edda elias elisabeth emilia erika esther fabian felicia ferdinand florian frieda gabriele georg gesine gustav
hannelore heinrich helena henrietta hildegard ida ingrid isabella jakob johanna josephine julian karoline katharina klara konstantin
kornelia laurentius leonore linnea lorenz luise magdalena margarete marianne matthias mechthild melanie nathanael nikolaus odilia
oskar ottilie pauline philippa raphael rebekka reinhard rosalie sebastian severin sibylle sophie susanna tabea theodora theresa
tobias ulrike ursula valentin valerie veronika viktoria vincent walburga wilhelmine xaver yvonne zacharias`.split(
    /\s+/,
  );
// 0 is padding; 1 begins and ends a name.
const alphabet = ['', '.', ...new Set(names.join(''))];
const idOf = new Map(alphabet.map((character, id) => [character, id]));
const longest = 2 + Math.max(...names.map((name) => name.length));

await ready({ seed: 3 });
const lines = names.map((name) => [1, ...[...name].map((character) => idOf.get(character)), 1]);
const pad = (rows) => rows.map((row) => [...row, ...Array(longest - 1 - row.length).fill(0)]);
const x = tensor(pad(lines.map((line) => line.slice(0, -1))), { dtype: 'int32' });
const y = tensor(pad(lines.map((line) => line.slice(1))), { dtype: 'int32' });

const model = new Sequential([
  Input({ shape: [null], dtype: 'int32' }),
  layers.embedding({ inputDim: alphabet.length, outputDim: 16, maskZero: true }),
  layers.gru({ units: 96, returnSequences: true }),
  layers.dense({ units: alphabet.length, activation: 'softmax' }),
]);
// The mask of the embedding reaches the loss, so padding is not learned.
model.compile({
  optimizer: { class_name: 'Adam', config: { learning_rate: 0.01 } },
  loss: 'sparse_categorical_crossentropy',
});
const { history } = await model.fit(x, y, { epochs: 30, batchSize: 16, seed: 3 });
const perplexity = (loss) => Math.exp(loss).toFixed(2);
console.log(
  `perplexity: ${perplexity(history.loss[0])} after the first epoch, ${perplexity(history.loss.at(-1))} after the last`,
);

let state = 7;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

/** Draws an id by its probability; a temperature below 1 prefers likely ids. */
function choose(probabilities, temperature) {
  const weights = [...probabilities].map((p, id) => (id === 0 ? 0 : p ** (1 / temperature)));
  let remaining = random() * weights.reduce((sum, weight) => sum + weight);
  for (const [id, weight] of weights.entries()) {
    remaining -= weight;
    if (remaining < 0) return id;
  }
  return 1;
}

function write(temperature) {
  const stream = model.stream();
  let name = '';
  let id = 1;
  while (name.length < 20) {
    const output = stream.step([[id]]);
    id = choose(output.data(), temperature);
    output.dispose();
    if (id === 1) break;
    name += alphabet[id];
  }
  stream.dispose();
  return name;
}

const newNames = Array.from({ length: 12 }, () => write(0.8));
console.log('writes:', newNames.join(', '));

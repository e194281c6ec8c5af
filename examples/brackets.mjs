// SPDX-License-Identifier: MIT
// The data and the model of train_brackets.mjs and train_brackets.html: is a string over ()[]{} balanced?
import { layers, optimizers, padSequences, schedules, Sequential, tensor } from 'maskflow/train';

const open = '([{';
const close = ')]}';
const deepest = 4;

/** Numbers from 0 up to 1, the same ones for the same seed. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

const below = (random, count) => Math.floor(random() * count);

function isBalanced(text) {
  const waiting = [];
  for (const character of text) {
    const kind = close.indexOf(character);
    if (kind < 0) waiting.push(open.indexOf(character));
    else if (waiting.pop() !== kind) return false;
  }
  return waiting.length === 0;
}

/** A balanced string of an even length. */
function balanced(random, length) {
  const waiting = [];
  let text = '';
  for (let left = length; left > 0; left--) {
    const opens = waiting.length < Math.min(left, deepest) && random() < 0.52;
    if (waiting.length === 0 || opens) {
      waiting.push(below(random, 3));
      text += open[waiting.at(-1)];
    } else {
      text += close[waiting.pop()];
    }
  }
  return text;
}

/** One bracket becomes another one; most often only its type changes, which is the hardest to see. */
function damaged(random, text) {
  const at = below(random, text.length);
  const side = open.includes(text[at]) ? open : close;
  const other =
    random() < 0.7
      ? side[(side.indexOf(text[at]) + 1 + below(random, 2)) % 3]
      : (side === open ? close : open)[side.indexOf(text[at])];
  return text.slice(0, at) + other + text.slice(at + 1);
}

/** Strings of even lengths, half of them balanced; none that is in `but`. */
function strings(random, count, [shortest, longest], but = new Set()) {
  const made = [];
  while (made.length < count) {
    const length = shortest + 2 * below(random, (longest - shortest) / 2 + 1);
    const text = balanced(random, length);
    const one = random() < 0.5 ? text : damaged(random, text);
    if (!but.has(one)) made.push(one);
  }
  return made;
}

/** Ids from 1 on; 0 is padding, up to the width. */
const encode = (texts, width) =>
  padSequences(
    texts.map((text) => [...text].map((character) => 1 + (open + close).indexOf(character))),
    { padding: 'post', maxlen: width },
  );

const labels = (texts) => tensor(texts.map((text) => [isBalanced(text) ? 1 : 0]));

const lengths = { trained: [2, 20], longer: [22, 40] };
const epochs = 20;

/** Strings to train on, and others to measure with: as long as those, and longer. */
export function makeData(seed = 1) {
  const random = randomFrom(seed);
  const train = strings(random, 6400, lengths.trained);
  const but = new Set(train);
  const held = Object.entries(lengths).map(([name, range]) => ({
    name: `${name === 'trained' ? 'as long' : 'longer'} (${range.join(' to ')})`,
    texts: strings(random, 1000, range, but),
  }));
  return { train, held };
}

/** With the mask, or a twin that reads padding like any other character. */
function makeModel(mask) {
  const model = new Sequential([
    layers.embedding({ inputDim: 7, outputDim: 8, maskZero: mask }),
    layers.bidirectional({ layer: layers.lstm({ units: 16 }) }),
    layers.dense({ units: 1, activation: 'sigmoid' }),
  ]);
  const learningRate = schedules.cosineDecay({ initialLearningRate: 0.01, decaySteps: 2000 });
  model.compile({
    optimizer: optimizers.adam({ learningRate, clipnorm: 1 }),
    loss: 'binary_crossentropy',
    metrics: ['accuracy'],
  });
  return model;
}

/** Trains one of the two on strings of up to 20 brackets, padded to 20. `options`: more of those of `fit`. */
export async function train(mask, { train: texts }, options = {}) {
  const model = makeModel(mask);
  const x = encode(texts, 20);
  const y = labels(texts);
  try {
    await model.fit(x, y, { epochs, batchSize: 64, seed: 1, ...options });
    return model;
  } catch (error) {
    model.dispose();
    throw error;
  } finally {
    x.dispose();
    y.dispose();
  }
}

/** The share that a model gets right: of each set of strings, padded to each of these widths. */
export async function measure(model, { held }, widths = [20, 40, 100, 200]) {
  const rows = [];
  for (const { name, texts } of held) {
    const longest = Math.max(...texts.map((text) => text.length));
    for (const width of widths.filter((one) => one >= longest)) {
      const [x, y] = [encode(texts, width), labels(texts)];
      const { accuracy } = await model.evaluate(x, y, { batchSize: 500 });
      rows.push({ strings: name, 'padded to': width, accuracy });
      x.dispose();
      y.dispose();
    }
  }
  return rows;
}

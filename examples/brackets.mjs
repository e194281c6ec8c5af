// SPDX-License-Identifier: MIT
// The data and the model of train_brackets.mjs and train_brackets.html. The question is whether a
// string over ()[]{} is balanced.
import { layers, optimizers, padSequences, schedules, Sequential, tensor } from 'maskflow/train';

const open = '([{';
const close = ')]}';
const deepest = 4;

/** Returns a generator of numbers from 0 up to 1; the same seed gives the same numbers. */
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
  const openBrackets = [];
  for (const character of text) {
    const kind = close.indexOf(character);
    if (kind < 0) openBrackets.push(open.indexOf(character));
    else if (openBrackets.pop() !== kind) return false;
  }
  return openBrackets.length === 0;
}

/** Returns a balanced string of an even length. */
function balancedString(random, length) {
  const openBrackets = [];
  let text = '';
  for (let remaining = length; remaining > 0; remaining--) {
    const opens = openBrackets.length < Math.min(remaining, deepest) && random() < 0.52;
    if (openBrackets.length === 0 || opens) {
      openBrackets.push(below(random, 3));
      text += open[openBrackets.at(-1)];
    } else {
      text += close[openBrackets.pop()];
    }
  }
  return text;
}

/**
 * Replaces one bracket by another. Most often only its type changes, which is the hardest to see.
 */
function damage(random, text) {
  const at = below(random, text.length);
  const side = open.includes(text[at]) ? open : close;
  const replacement =
    random() < 0.7
      ? side[(side.indexOf(text[at]) + 1 + below(random, 2)) % 3]
      : (side === open ? close : open)[side.indexOf(text[at])];
  return text.slice(0, at) + replacement + text.slice(at + 1);
}

/** Returns strings of even lengths, half of them balanced, and none of `excluded`. */
function strings(random, count, [shortest, longest], excluded = new Set()) {
  const result = [];
  while (result.length < count) {
    const length = shortest + 2 * below(random, (longest - shortest) / 2 + 1);
    const text = balancedString(random, length);
    const candidate = random() < 0.5 ? text : damage(random, text);
    if (!excluded.has(candidate)) result.push(candidate);
  }
  return result;
}

/** Encodes brackets as ids from 1 on; 0 is padding, up to the width. */
const encode = (texts, width) =>
  padSequences(
    texts.map((text) => [...text].map((character) => 1 + (open + close).indexOf(character))),
    { padding: 'post', maxlen: width },
  );

const labels = (texts) => tensor(texts.map((text) => [isBalanced(text) ? 1 : 0]));

const lengths = { trained: [2, 20], longer: [22, 40] };
const epochs = 20;

/** Returns strings for training, and others for testing: of the same lengths, and longer. */
export function makeData(seed = 1) {
  const random = randomFrom(seed);
  const train = strings(random, 6400, lengths.trained);
  const excluded = new Set(train);
  const testSets = Object.entries(lengths).map(([name, range]) => ({
    name: `${name === 'trained' ? 'as long' : 'longer'} (${range.join(' to ')})`,
    texts: strings(random, 1000, range, excluded),
  }));
  return { train, testSets };
}

/** Creates a model with the mask, or one that reads padding like any other character. */
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

/**
 * Trains the model with the mask or the one without it, on strings of up to 20 brackets, padded to
 * 20. `options` are passed to `fit`.
 */
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

/** Returns the accuracy of a model on each set of strings, padded to each width in `widths`. */
export async function measure(model, { testSets }, widths = [20, 40, 100, 200]) {
  const rows = [];
  for (const { name, texts } of testSets) {
    const longest = Math.max(...texts.map((text) => text.length));
    for (const width of widths.filter((value) => value >= longest)) {
      const [x, y] = [encode(texts, width), labels(texts)];
      const { accuracy } = await model.evaluate(x, y, { batchSize: 500 });
      rows.push({ strings: name, 'padded to': width, accuracy });
      x.dispose();
      y.dispose();
    }
  }
  return rows;
}

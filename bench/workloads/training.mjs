// SPDX-License-Identifier: MIT
// The workloads T1, T2 … of docs/performance.md: steps of training, in a form that both packages
// can build.
import { features, generator, isWithin, uniform, whole, words } from './random.mjs';
import { dense, embedding, gru, lstm, masking, transformer } from './weights.mjs';

/**
 * One step of training, with Adam.
 * @typedef {object} TrainingWorkload
 * @property {string} id
 * @property {string} title
 * @property {number | null} share Share of the steps that are kept; null stands for the ragged
 *   lengths of T1 and T2, uniform from 5 to 49.
 * @property {object[]} layers From weights.mjs.
 * @property {{ type: string, shape: number[], data: Float32Array | Int32Array }} input
 * @property {{ shape: number[], data: Float32Array | Int32Array }} target
 * @property {'binary_crossentropy' | 'mse' | 'sparse_categorical_crossentropy'} loss
 * @property {Int32Array | null} lengths Kept steps of each row; null: all.
 */

const batch = 32;

/** Returns lengths from half of a share of the steps to one and a half times it. */
function lengthsOf(random, time, share) {
  if (share === null) return whole(random, batch, 5, 49);
  if (share === 1) return null;
  const mean = share * time;
  const [low, high] = [Math.max(1, Math.round(mean / 2)), Math.min(time, Math.round(mean * 1.5))];
  return whole(random, batch, low, high);
}

const sizeOf = (shape) => shape.reduce((a, b) => a * b);
const integers = (shape, count) => (random) => ({
  shape,
  data: whole(random, sizeOf(shape), 0, count - 1),
});
const floats = (shape) => (random) => ({ shape, data: uniform(random, sizeOf(shape), 1) });
const binary = (random) => {
  const { shape, data } = integers([batch, 1], 2)(random);
  return { shape, data: Float32Array.from(data) };
};

/**
 * The workloads: `width` is the number of features of an input, `vocabulary` the number of its
 * words.
 */
const kinds = {
  T1: {
    title: 'Embedding(1000, 32), LSTM 64, Dense 1; batch 32, T 50',
    seed: 101,
    time: 50,
    vocabulary: 1000,
    layers: (random) => [
      embedding(random, 1000, 32),
      lstm(random, 32, 64),
      dense(random, 64, 1, 'sigmoid'),
    ],
    target: binary,
    loss: 'binary_crossentropy',
  },
  T2: {
    title:
      'Embedding(1000, 32), Bidirectional LSTM 64, Dense 8 softmax at each step; batch 32, T 50',
    seed: 102,
    time: 50,
    vocabulary: 1000,
    layers: (random) => [
      embedding(random, 1000, 32),
      lstm(random, 32, 64, { both: true, sequences: true }),
      dense(random, 128, 8, 'softmax'),
    ],
    target: integers([batch, 50], 8),
    loss: 'sparse_categorical_crossentropy',
  },
  T3: {
    title: 'GRU 128 over (32, 100, 16), Dense 1',
    seed: 103,
    time: 100,
    width: 16,
    layers: (random) => [masking(), gru(random, 16, 128), dense(random, 128, 1)],
    target: floats([batch, 1]),
    loss: 'mse',
  },
  T4: {
    title: 'two LSTM 256, batch 32, T 100, 64 features, Dense 1',
    seed: 104,
    time: 100,
    width: 64,
    layers: (random) => [
      masking(),
      lstm(random, 64, 256, { sequences: true }),
      lstm(random, 256, 256),
      dense(random, 256, 1),
    ],
    target: floats([batch, 1]),
    loss: 'mse',
  },
  T5: {
    title: 'transformer block: 4 heads of 32, width 128, Dense 512; batch 32, T 64',
    seed: 105,
    time: 64,
    width: 128,
    layers: (random) => [masking(), transformer(random, 128, 4, 512)],
    target: floats([batch, 64, 128]),
    loss: 'mse',
  },
};

function workload(id, share) {
  const { title, seed, time, width, vocabulary, layers, target, loss } = kinds[id];
  const random = generator(seed);
  const lengths = lengthsOf(random, time, share);
  const input = vocabulary
    ? words(random, [batch, time], vocabulary, lengths)
    : features(random, [batch, time, width], isWithin(lengths));
  const y = target(random);
  return { id, title, share, layers: layers(random), input, target: y, loss, lengths };
}

export const trainingIds = Object.keys(kinds);

/** Returns a workload with each share of kept steps. @returns {TrainingWorkload[]} */
export const trainingWorkloads = (id) => {
  const ragged = kinds[id].vocabulary ? [null] : [];
  return [...ragged, 1, 0.5, 0.25, 0.1].map((share) => workload(id, share));
};

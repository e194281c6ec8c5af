// SPDX-License-Identifier: MIT
// The workloads T1, T2 … of docs/performance.md: steps of training, in a form that both packages
// can build.
import { generator, uniform, whole } from '../peers/random.mjs';

/**
 * One step of training, with Adam.
 * @typedef {object} TrainingWorkload
 * @property {string} id
 * @property {string} title
 * @property {object[]} layers Descriptions from which every package builds its layers: { kind, … }.
 * @property {{ type: string, shape: number[], data: Float32Array | Int32Array }} input
 * @property {{ shape: number[], data: Float32Array | Int32Array }} target
 * @property {'binary_crossentropy' | 'mse' | 'sparse_categorical_crossentropy'} loss
 * @property {Int32Array | null} lengths Kept steps of each row; null: all.
 */

/** Shares of the steps that are kept; null stands for the ragged lengths of T1 and T2. */
export const fractions = [1, 0.5, 0.25, 0.1];

const batch = 32;

/**
 * Returns lengths around a share of the steps, from half of it to one and a half times it; null
 * (all steps) for 1.
 */
function lengthsOf(random, time, share) {
  if (share === 1) return null;
  const mean = share * time;
  const [low, high] = [Math.max(1, Math.round(mean / 2)), Math.min(time, Math.round(mean * 1.5))];
  return whole(random, batch, low, high);
}

const isKept = (lengths, row, t) => !lengths || t < lengths[row];

function words(random, time, vocabulary, lengths) {
  const data = whole(random, batch * time, 1, vocabulary - 1);
  for (let i = 0; i < data.length; i++) {
    if (!isKept(lengths, Math.floor(i / time), i % time)) data[i] = 0;
  }
  return { type: 'int32', shape: [batch, time], data };
}

function features(random, [rows, time, width], lengths) {
  const data = uniform(random, rows * time * width, 1);
  for (let i = 0; i < data.length; i++) {
    const step = Math.floor(i / width);
    if (!isKept(lengths, Math.floor(step / time), step % time)) data[i] = 0;
  }
  return { type: 'float32', shape: [rows, time, width], data };
}

const classes = (random, shape, count) => ({
  shape,
  data: whole(
    random,
    shape.reduce((a, b) => a * b),
    0,
    count - 1,
  ),
});
const numbers = (random, shape) => ({
  shape,
  data: uniform(
    random,
    shape.reduce((a, b) => a * b),
    1,
  ),
});

/** Returns lengths; without a share they are uniform from 5 to 49. */
const lengthsFor = (next, time, share) =>
  share === undefined ? whole(next, batch, 5, 49) : lengthsOf(next, time, share);

function t1(share) {
  const random = generator(101);
  const lengths = lengthsFor(random, 50, share);
  return {
    id: 'T1',
    title: 'Embedding(1000, 32), LSTM 64, Dense 1; batch 32, T 50',
    layers: [
      { kind: 'embedding', ids: 1000, width: 32 },
      { kind: 'lstm', units: 64 },
      { kind: 'dense', units: 1, activation: 'sigmoid' },
    ],
    input: words(random, 50, 1000, lengths),
    target: { shape: [batch, 1], data: Float32Array.from(whole(random, batch, 0, 1)) },
    loss: 'binary_crossentropy',
    lengths,
  };
}

function t2(share) {
  const random = generator(102);
  const lengths = lengthsFor(random, 50, share);
  return {
    id: 'T2',
    title:
      'Embedding(1000, 32), Bidirectional LSTM 64, Dense 8 softmax at each step; batch 32, T 50',
    layers: [
      { kind: 'embedding', ids: 1000, width: 32 },
      { kind: 'lstm', units: 64, both: true, sequences: true },
      { kind: 'dense', units: 8, activation: 'softmax' },
    ],
    input: words(random, 50, 1000, lengths),
    target: classes(random, [batch, 50], 8),
    loss: 'sparse_categorical_crossentropy',
    lengths,
  };
}

function t3(share) {
  const random = generator(103);
  const lengths = lengthsOf(random, 100, share ?? 1);
  return {
    id: 'T3',
    title: 'GRU 128 over (32, 100, 16), Dense 1',
    layers: [{ kind: 'masking' }, { kind: 'gru', units: 128 }, { kind: 'dense', units: 1 }],
    input: features(random, [batch, 100, 16], lengths),
    target: numbers(random, [batch, 1]),
    loss: 'mse',
    lengths,
  };
}

function t4(share) {
  const random = generator(104);
  const lengths = lengthsOf(random, 100, share ?? 1);
  return {
    id: 'T4',
    title: 'two LSTM 256, batch 32, T 100, 64 features, Dense 1',
    layers: [
      { kind: 'masking' },
      { kind: 'lstm', units: 256, sequences: true },
      { kind: 'lstm', units: 256 },
      { kind: 'dense', units: 1 },
    ],
    input: features(random, [batch, 100, 64], lengths),
    target: numbers(random, [batch, 1]),
    loss: 'mse',
    lengths,
  };
}

function t5(share) {
  const random = generator(105);
  const lengths = lengthsOf(random, 64, share ?? 1);
  return {
    id: 'T5',
    title: 'transformer block: 4 heads of 32, width 128, Dense 512; batch 32, T 64',
    layers: [{ kind: 'masking' }, { kind: 'transformer', heads: 4, width: 128, inner: 512 }],
    input: features(random, [batch, 64, 128], lengths),
    target: numbers(random, [batch, 64, 128]),
    loss: 'mse',
    lengths,
  };
}

const makers = { T1: t1, T2: t2, T3: t3, T4: t4, T5: t5 };

/** @returns {{ workload: TrainingWorkload, share: number | null }[]} */
export function workloads(only = Object.keys(makers)) {
  return only.flatMap((id) => {
    const raggedEntry = id === 'T1' || id === 'T2' ? [{ workload: makers[id](), share: null }] : [];
    return [...raggedEntry, ...fractions.map((share) => ({ workload: makers[id](share), share }))];
  });
}

// SPDX-License-Identifier: MIT
// The workloads W1, W2 … of docs/performance.md, in a form that every package can build.
import { features, generator, isWithin, whole, words } from './random.mjs';
import { conv, dense, embedding, gru, lstm, masking, transformer } from './weights.mjs';

/**
 * One call of a model.
 * @typedef {object} Workload
 * @property {string} id
 * @property {string} title
 * @property {string} [unit] Unit of a call, such as a step. Default: a batch.
 * @property {object[]} layers From weights.mjs.
 * @property {{ type: string, shape: number[], data: Float32Array | Int32Array }} input
 * @property {Int32Array | null} lengths Kept steps of each row, padded at the end; null: no
 *   padding, or a mask that lengths cannot express.
 * @property {string} [mask] 'pre' or 'holes': masks that are not lengths.
 * @property {object} [quantize] Options of 8-bit kernels in maskflow; peers keep floats.
 * @property {number} [tolerance] Tolerance of the comparison of outputs, if it is not 1e-5.
 * @property {number} flop Floating-point operations for the kept steps.
 * @property {number} [streamed] With one row per step: bytes of weights that every step reads.
 */

const sum = (values) => values.reduce((total, value) => total + value, 0);
const cellFlop = (gates, steps, width, units) => 2 * gates * steps * (width + units) * units;

/** Returns a workload without lengths, or with those of `more`. */
const task = (id, title, layers, input, flop, more = {}) => ({
  id,
  title,
  layers,
  input,
  lengths: null,
  flop,
  ...more,
});

function latency() {
  const random = generator(1);
  const layers = [lstm(random, 64, 128)];
  const input = features(random, [1, 100, 64]);
  const title = 'latency: LSTM 128, batch 1, T 100, 64 features';
  const streamed = 4 * (128 * 4 * 128);
  return task('W1', title, layers, input, cellFlop(4, 100, 64, 128), { streamed });
}

function ragged(id, title, lengths, keep = isWithin(lengths), mask = undefined) {
  const random = generator(2);
  const layers = [masking(), lstm(random, 64, 128)];
  const input = features(random, [lengths.length, 100, 64], keep);
  const flop = cellFlop(4, sum(lengths), 64, 128);
  return task(id, title, layers, input, flop, { lengths: mask ? null : lengths, mask });
}

const raggedLengths = () => whole(generator(20), 32, 10, 100);

function holes() {
  const random = generator(21);
  const keptSteps = Array.from({ length: 32 }, () =>
    Array.from({ length: 100 }, (_, t) => t === 0 || random() < 0.55),
  );
  const lengths = Int32Array.from(keptSteps, (row) => row.filter(Boolean).length);
  const title = 'W2 with holes: 55 % kept at random';
  return ragged('W2h', title, lengths, (row, t) => keptSteps[row][t], 'holes');
}

function classifier() {
  const random = generator(3);
  // Lengths follow a Pareto distribution: many short texts, few long ones, with a mean of about 40.
  const lengths = Int32Array.from({ length: 64 }, () =>
    Math.max(3, Math.min(200, Math.round(15 / (1 - random()) ** 0.72))),
  );
  lengths[0] = 200;
  const layers = [
    embedding(random, 5000, 64),
    lstm(random, 64, 64, { both: true }),
    dense(random, 128, 1, 'sigmoid'),
  ];
  const input = words(random, [64, 200], 5000, lengths);
  const flop = 2 * cellFlop(4, sum(lengths), 64, 64);
  const mean = Math.round(sum(lengths) / 64);
  const title = `classifier: batch 64, T 200, mean length ${mean}: Embedding 5000×64, Bidirectional LSTM 64, Dense 1`;
  return task('W3', title, layers, input, flop, { lengths });
}

function raggedGru() {
  const random = generator(4);
  const lengths = raggedLengths();
  const layers = [masking(), gru(random, 64, 128)];
  const input = features(random, [32, 100, 64], isWithin(lengths));
  const flop = cellFlop(3, sum(lengths), 64, 128);
  const title = 'GRU 128 (reset_after), batch 32, T 100, ragged as W2';
  return task('W4', title, layers, input, flop, { lengths });
}

function guide() {
  const random = generator(5);
  const lengths = Int32Array.of(6);
  const layers = [embedding(random, 5000, 16), lstm(random, 16, 32)];
  const input = words(random, [1, 6], 5000, lengths);
  const title = "the guide's model: batch 1, T 6, Embedding 5000×16, LSTM 32";
  return task('W5', title, layers, input, cellFlop(4, 6, 16, 32), { lengths });
}

function streaming() {
  const random = generator(6);
  const layers = [lstm(random, 64, 256)];
  const input = features(random, [1, 50, 64]);
  const title = 'streaming: LSTM 256, batch 1, 64 features, one step a call, state carried';
  const more = { unit: 'step', streamed: 4 * (64 + 256) * 4 * 256 };
  return task('W6', title, layers, input, cellFlop(4, 1, 64, 256), more);
}

function large() {
  const random = generator(7);
  const layers = [lstm(random, 128, 512, { sequences: true }), lstm(random, 512, 512)];
  const input = features(random, [32, 128, 128]);
  const flop = cellFlop(4, 32 * 128, 128, 512) + cellFlop(4, 32 * 128, 512, 512);
  const title = 'large: batch 32, T 128, 128 features, two LSTM 512';
  return task('W7', title, layers, input, flop);
}

/**
 * The large workload with 8-bit kernels. Outputs are about 0.1; the tolerance allows for weights
 * and activations that are rounded to 8 and 7 bits.
 */
const largeQuantized = () => ({
  ...large(),
  id: 'W7q',
  title: 'W7, in maskflow with 8-bit kernels and activations',
  quantize: { activations: 'int8' },
  tolerance: 1e-2,
});

/** Creates a transformer block over rows of these lengths, with numbers from `seed`. */
function block(id, seed, [batch, time, width], { heads, inner, least }) {
  const random = generator(seed);
  const lengths = whole(random, batch, least, time);
  const layers = [masking(), transformer(random, width, heads, inner)];
  const input = features(random, [batch, time, width], isWithin(lengths));
  const linear = 2 * sum(lengths) * (4 * width * width + 2 * width * inner);
  const flop = linear + 4 * width * sum(lengths.map((n) => n * n));
  const title = `transformer block: batch ${batch}, T ${time}, width ${width}, ${heads} heads, inner ${inner}, lengths ${least}..${time}`;
  return task(id, title, layers, input, flop, { lengths });
}

/**
 * Creates the block as a decoder that runs one step at a time. A step attends to itself and to
 * earlier steps, whose keys and values are kept.
 */
function decoder() {
  const [steps, width, inner] = [256, 128, 512];
  const random = generator(10);
  const layers = [transformer(random, width, 4, inner, { causal: true })];
  const input = features(random, [1, steps, width]);
  const meanKeys = (steps + 1) / 2;
  const flop = 2 * (4 * width * width + 2 * width * inner) + 4 * width * meanKeys;
  const title = `decoder: the block of W8 with a causal mask, one sequence, one step a call, steps 1 to ${steps}`;
  const streamed = 4 * (4 * width * width + 2 * width * inner + 2 * width * meanKeys);
  return task('W8s', title, layers, input, flop, { unit: 'step', streamed });
}

function convolution() {
  const random = generator(9);
  const layers = [conv(random, 32, 64, 5), gru(random, 64, 64)];
  const input = features(random, [32, 256, 32]);
  const flop = 2 * 32 * 252 * 5 * 32 * 64 + cellFlop(3, 32 * 252, 64, 64);
  const title = 'Conv1D(64, 5) → GRU 64, batch 32, T 256, 32 features';
  return task('W9', title, layers, input, flop);
}

function sweep(percent, full) {
  const lengths = new Int32Array(32).fill(percent);
  if (full && percent < 100) {
    // One row has 100 steps; the other rows share the rest of the percentage.
    const remaining = 32 * percent - 100;
    for (let row = 1; row < 32; row++)
      lengths[row] = Math.floor((remaining * row) / 31) - Math.floor((remaining * (row - 1)) / 31);
    lengths[0] = 100;
  }
  const id = `S${percent}${full ? 'f' : ''}`;
  return ragged(id, `${percent} % kept, ${full ? 'one row full' : 'all rows alike'}`, lengths);
}

const raggedTitle = 'ragged: LSTM 128, batch 32, T 100, 64 features, lengths 10..100';

const makers = {
  W1: latency,
  W2: () => ragged('W2', raggedTitle, raggedLengths()),
  W2p: () => {
    const lengths = raggedLengths();
    return ragged('W2p', 'W2 padded in front', lengths, (row, t) => t >= 100 - lengths[row], 'pre');
  },
  W2h: holes,
  W3: classifier,
  W4: raggedGru,
  W5: guide,
  W6: streaming,
  W7: large,
  W7q: largeQuantized,
  W8: () => block('W8', 8, [16, 128, 128], { heads: 4, inner: 512, least: 13 }),
  W8t: () => block('W8t', 8, [4, 512, 128], { heads: 4, inner: 512, least: 51 }),
  W8w: () => block('W8w', 8, [8, 128, 512], { heads: 8, inner: 2048, least: 13 }),
  W8s: decoder,
  W9: convolution,
};
for (const percent of [100, 50, 25, 10]) makers[`S${percent}`] = () => sweep(percent, false);
for (const percent of [50, 25, 10]) makers[`S${percent}f`] = () => sweep(percent, true);

export const workloadIds = Object.keys(makers);
/** @returns {Workload} */
export const workload = (id) => makers[id]();

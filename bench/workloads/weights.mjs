// SPDX-License-Identifier: MIT
// Layers of a workload as plain data: kind, settings and weights in Keras's order and layout. Each
// package builds its own model from them.
import { uniform } from './random.mjs';

// Creates a matrix within Glorot's bound. Larger weights would saturate activations, which hides
// wrong numbers.
const matrix = (random, rows, columns) => ({
  shape: [rows, columns],
  data: uniform(random, rows * columns, Math.sqrt(6 / (rows + columns))),
});
const vector = (random, size, bound = 0.1) => ({
  shape: [size],
  data: uniform(random, size, bound),
});

export const masking = () => ({ kind: 'masking', weights: [] });

export function embedding(random, ids, width) {
  return { kind: 'embedding', ids, width, weights: [matrix(random, ids, width)] };
}

const lstmWeights = (random, features, units) => [
  matrix(random, features, 4 * units),
  matrix(random, units, 4 * units),
  vector(random, 4 * units),
];

export function lstm(random, features, units, { sequences = false, both = false } = {}) {
  const weights = lstmWeights(random, features, units);
  if (both) weights.push(...lstmWeights(random, features, units));
  return { kind: 'lstm', features, units, sequences, both, weights };
}

/** Creates a GRU with Keras's defaults: reset_after, and two rows of biases. */
export function gru(random, features, units) {
  const bias = { shape: [2, 3 * units], data: uniform(random, 6 * units, 0.1) };
  const weights = [matrix(random, features, 3 * units), matrix(random, units, 3 * units), bias];
  return { kind: 'gru', features, units, weights };
}

export function dense(random, features, units, activation = 'linear') {
  const weights = [matrix(random, features, units), vector(random, units)];
  return { kind: 'dense', features, units, activation, weights };
}

export function conv(random, features, filters, size) {
  const kernel = {
    shape: [size, features, filters],
    data: uniform(random, size * features * filters, Math.sqrt(6 / (size * (features + filters)))),
  };
  return { kind: 'conv', features, filters, size, weights: [kernel, vector(random, filters)] };
}

/**
 * Creates a transformer block as in Keras's guide: x + attention, normalized, then the result + two
 * Dense layers, normalized. If it is causal, no step attends to later ones.
 */
export function transformer(random, width, heads, inner, { causal = false } = {}) {
  const projection = (shape, biasShape) => [
    { shape, data: matrix(random, width, width).data },
    { shape: biasShape, data: vector(random, width).data },
  ];
  const size = width / heads;
  const inside = () => projection([width, heads, size], [heads, size]);
  const normalisation = () => [
    { shape: [width], data: vector(random, width).data.map((x) => 1 + x) },
    vector(random, width),
  ];
  return {
    kind: 'transformer',
    causal,
    width,
    heads,
    inner,
    attention: [
      ...inside(),
      ...inside(),
      ...inside(),
      ...projection([heads, size, width], [width]),
    ],
    normalisations: [normalisation(), normalisation()],
    denses: [dense(random, width, inner, 'relu'), dense(random, inner, width)],
  };
}

// SPDX-License-Identifier: MIT
// Layers of a workload as plain data: kind, settings and weights in Keras's order and layout. Each
// package makes its own model of them.
import { uniform } from './random.mjs';

// Glorot's bound keeps activations away from saturation, where a wrong number would not show.
const matrix = (next, rows, columns) => ({
  shape: [rows, columns],
  data: uniform(next, rows * columns, Math.sqrt(6 / (rows + columns))),
});
const vector = (next, size, bound = 0.1) => ({ shape: [size], data: uniform(next, size, bound) });

export const masking = () => ({ kind: 'masking', weights: [] });

export function embedding(next, ids, width) {
  return { kind: 'embedding', ids, width, weights: [matrix(next, ids, width)] };
}

const lstmWeights = (next, features, units) => [
  matrix(next, features, 4 * units),
  matrix(next, units, 4 * units),
  vector(next, 4 * units),
];

export function lstm(next, features, units, { sequences = false, both = false } = {}) {
  const weights = lstmWeights(next, features, units);
  if (both) weights.push(...lstmWeights(next, features, units));
  return { kind: 'lstm', features, units, sequences, both, weights };
}

/** GRU as Keras makes it: reset_after, two rows of bias. */
export function gru(next, features, units) {
  const bias = { shape: [2, 3 * units], data: uniform(next, 6 * units, 0.1) };
  const weights = [matrix(next, features, 3 * units), matrix(next, units, 3 * units), bias];
  return { kind: 'gru', features, units, weights };
}

export function dense(next, features, units, activation = 'linear') {
  const weights = [matrix(next, features, units), vector(next, units)];
  return { kind: 'dense', features, units, activation, weights };
}

export function conv(next, features, filters, size) {
  const kernel = {
    shape: [size, features, filters],
    data: uniform(next, size * features * filters, Math.sqrt(6 / (size * (features + filters)))),
  };
  return { kind: 'conv', features, filters, size, weights: [kernel, vector(next, filters)] };
}

/** Keras's block: x + attention, normalised; that + two Dense layers, normalised. Causal: no step sees those after it. */
export function transformer(next, width, heads, inner, { causal = false } = {}) {
  const projection = (shape, biasShape) => [
    { shape, data: matrix(next, width, width).data },
    { shape: biasShape, data: vector(next, width).data },
  ];
  const size = width / heads;
  const inside = () => projection([width, heads, size], [heads, size]);
  const normalisation = () => [
    { shape: [width], data: vector(next, width).data.map((x) => 1 + x) },
    vector(next, width),
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
    denses: [dense(next, width, inner, 'relu'), dense(next, inner, width)],
  };
}

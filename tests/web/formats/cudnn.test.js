// SPDX-License-Identifier: MIT
// CuDNNLSTM and CuDNNGRU. Expected results come from a plain implementation of cuDNN's formulas on
// its own layout of the weights: for each gate a matrix [units, inputs], one [units, units] and two
// biases, one after the other in memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../../../dist/index.js';
import { array, legacyH5 } from '../../support/legacy_files.js';
import { floats } from '../../support/legacy_models.js';
import { generator } from '../../support/random.js';

await mf.ready({ onMaskDropped: 'silent' });

const sigmoid = (x) => 1 / (1 + Math.exp(-x));

/**
 * Random weights in cuDNN's layout: W and R by gate, [units][inputs]; their biases by gate,
 * [units].
 */
function randomGates(random, gates, units, inputs) {
  const vector = (n) => Array.from({ length: n }, () => Math.fround(random() * 2 - 1));
  const matrix = (rows, columns) => Array.from({ length: rows }, () => vector(columns));
  const each = (make) => Array.from({ length: gates }, make);
  return {
    W: each(() => matrix(units, inputs)),
    R: each(() => matrix(units, units)),
    bW: each(() => vector(units)),
    bR: each(() => vector(units)),
  };
}

const times = (matrix, x) => matrix.map((row) => row.reduce((sum, w, i) => sum + w * x[i], 0));
const plus = (...vectors) => vectors[0].map((_, i) => vectors.reduce((sum, v) => sum + v[i], 0));

/** An LSTM with gates i, f, c, o; returns the output of every step. */
function lstm({ W, R, bW, bR }, sequence) {
  let h = bW[0].map(() => 0);
  let c = h;
  return sequence.map((x) => {
    const [i, f, g, o] = W.map((w, k) => plus(times(w, x), bW[k], times(R[k], h), bR[k]));
    c = c.map((old, k) => sigmoid(f[k]) * old + sigmoid(i[k]) * Math.tanh(g[k]));
    h = c.map((value, k) => sigmoid(o[k]) * Math.tanh(value));
    return h;
  });
}

/**
 * A GRU with gates z (update), r (reset), h (candidate): the reset gate scales the product, bias
 * included.
 */
function gru({ W, R, bW, bR }, sequence) {
  let h = bW[0].map(() => 0);
  return sequence.map((x) => {
    const fromX = W.map((w, k) => plus(times(w, x), bW[k]));
    const fromH = R.map((r, k) => plus(times(r, h), bR[k]));
    h = h.map((old, k) => {
      const z = sigmoid(fromX[0][k] + fromH[0][k]);
      const r = sigmoid(fromX[1][k] + fromH[1][k]);
      return (1 - z) * Math.tanh(fromX[2][k] + r * fromH[2][k]) + z * old;
    });
    return h;
  });
}

/**
 * The layout in Keras's files: the memory of each gate's [units, inputs] is reinterpreted as
 * [inputs, units], with the gates side by side; the biases of the inputs come first, then those of
 * the recurrent products.
 */
function kerasWeights({ W, R, bW, bR }, prefix) {
  const gates = W.length;
  const units = R[0].length;
  const sideBySide = (matrices, rows) => {
    const memory = matrices.map((matrix) => matrix.flat());
    return Array.from({ length: rows * gates * units }, (_, at) => {
      const [row, column] = [Math.floor(at / (gates * units)), at % (gates * units)];
      return memory[Math.floor(column / units)][row * units + (column % units)];
    });
  };
  const inputs = W[0][0].length;
  return [
    array(`${prefix}/kernel:0`, [inputs, gates * units], sideBySide(W, inputs)),
    array(`${prefix}/recurrent_kernel:0`, [units, gates * units], sideBySide(R, units)),
    array(`${prefix}/bias:0`, [2 * gates * units], [...bW, ...bR].flat()),
  ];
}

const settings = (name, units) => ({
  name,
  trainable: true,
  return_sequences: true,
  return_state: false,
  go_backwards: false,
  stateful: false,
  units,
  kernel_initializer: { class_name: 'VarianceScaling', config: { distribution: 'uniform' } },
  recurrent_initializer: { class_name: 'Orthogonal', config: { gain: 1, seed: null } },
  bias_initializer: { class_name: 'Zeros', config: {} },
  kernel_regularizer: { class_name: 'L1L2', config: { l1: 0, l2: 0.001 } },
  recurrent_regularizer: null,
  bias_regularizer: null,
  activity_regularizer: null,
  kernel_constraint: null,
  recurrent_constraint: null,
  bias_constraint: null,
});

const kinds = [
  { className: 'CuDNNLSTM', gates: 4, compute: lstm, more: { unit_forget_bias: true } },
  { className: 'CuDNNGRU', gates: 3, compute: gru, more: {} },
];

function assertClose(tensor, expected) {
  const actual = tensor.data();
  const flat = expected.flat(3);
  assert.equal(actual.length, flat.length);
  flat.forEach((value, i) => {
    assert.ok(Math.abs(actual[i] - value) < 1e-6, `${i}: ${actual[i]}, not ${value}`);
  });
}

for (const { className, gates, compute, more } of kinds) {
  test(`${className} computes what cuDNN computes`, async () => {
    const [units, inputs] = [3, 5];
    const weights = randomGates(generator(gates), gates, units, inputs);
    const config = {
      class_name: 'Sequential',
      config: [
        {
          class_name: className,
          config: { ...settings('rnn', units), ...more, batch_input_shape: [null, null, inputs] },
        },
      ],
    };
    const layers = [{ name: 'rnn', weights: kerasWeights(weights, 'rnn') }];
    const model = await mf.loadModel(legacyH5({ config, version: '2.2.4', layers }));
    const x = floats([2, 4, inputs]);
    assertClose(
      model.predict(x),
      x.array().map((row) => compute(weights, row)),
    );
    assert.equal(model.layers.at(-1).className, className.slice(5));
  });

  test(`Bidirectional ${className} converts each direction separately`, async () => {
    const [units, inputs] = [2, 3];
    const random = generator(gates + 10);
    const forward = randomGates(random, gates, units, inputs);
    const backward = randomGates(random, gates, units, inputs);
    const config = {
      class_name: 'Sequential',
      config: {
        name: 'sequential_1',
        layers: [
          {
            class_name: 'Bidirectional',
            config: {
              name: 'both',
              trainable: true,
              batch_input_shape: [null, 4, inputs],
              dtype: 'float32',
              merge_mode: 'concat',
              layer: { class_name: className, config: { ...settings('rnn', units), ...more } },
            },
          },
        ],
      },
    };
    const weights = [
      ...kerasWeights(forward, 'both/forward_rnn'),
      ...kerasWeights(backward, 'both/backward_rnn'),
    ];
    const layers = [{ name: 'both', weights }];
    const model = await mf.loadModel(legacyH5({ config, version: '2.2.4-tf', layers }));
    const x = floats([2, 4, inputs]);
    const expected = x.array().map((row) => {
      const forwardOutputs = compute(forward, row);
      const backwardOutputs = compute(backward, row.toReversed()).toReversed();
      return forwardOutputs.map((step, t) => [...step, ...backwardOutputs[t]]);
    });
    assertClose(model.predict(x), expected);
  });
}

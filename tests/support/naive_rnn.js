// SPDX-License-Identifier: MIT
// Recurrent layers written as their definition: one row, one step, one unit after the other, in
// doubles.
const sigmoid = (x) => 1 / (1 + Math.exp(-x));

/** Returns row · matrix, plus the bias if there is one. */
const times = (row, matrix, bias) =>
  matrix[0].map((_, j) => row.reduce((sum, x, i) => sum + x * matrix[i][j], bias?.[j] ?? 0));
const part = (row, i, units) => row.slice(i * units, (i + 1) * units);

/** Cells by name: (x, states, weights, units) → states. The first state is the output. */
export const cells = {
  simpleRNN: {
    states: 1,
    step: (x, [h], [kernel, recurrent, bias]) => {
      const fromInput = times(x, kernel, bias);
      const fromState = times(h, recurrent);
      return [fromInput.map((value, i) => Math.tanh(value + fromState[i]))];
    },
  },
  lstm: {
    states: 2,
    step: (x, [h, c], [kernel, recurrent, bias], units) => {
      const fromState = times(h, recurrent);
      const z = times(x, kernel, bias).map((value, i) => value + fromState[i]);
      const [i, f, g, o] = [0, 1, 2, 3].map((gate) => part(z, gate, units));
      const nextCell = c.map((value, k) => sigmoid(f[k]) * value + sigmoid(i[k]) * Math.tanh(g[k]));
      return [nextCell.map((value, k) => sigmoid(o[k]) * Math.tanh(value)), nextCell];
    },
  },
  gru: {
    states: 1,
    step: (x, [h], [kernel, recurrent, [biasIn, biasBack]], units) => {
      const fromInput = times(x, kernel, biasIn);
      const fromState = times(h, recurrent, biasBack);
      return [
        h.map((value, k) => {
          const z = sigmoid(fromInput[k] + fromState[k]);
          const r = sigmoid(fromInput[units + k] + fromState[units + k]);
          const candidate = Math.tanh(fromInput[2 * units + k] + r * fromState[2 * units + k]);
          return z * value + (1 - z) * candidate;
        }),
      ];
    },
  },
};

/**
 * Computes one row under its mask. Returns the outputs of every step, in processing order, and the
 * final states.
 */
function runRow({ step, states: count }, row, keep, weights, units, { backwards, zero }) {
  const zeros = () => Array(units).fill(0);
  let states = Array.from({ length: count }, zeros);
  let output = zeros();
  const order = row.map((_, t) => t);
  if (backwards) order.reverse();
  const outputs = order.map((t) => {
    if (!keep[t]) return zero ? zeros() : output;
    states = step(row[t], states, weights, units);
    [output] = states;
    return output;
  });
  return { outputs, states };
}

/**
 * Computes a batch under its mask. Returns { outputs: [batch, time, units], states: [batch, units]
 * for each state }.
 */
export function run(name, x, mask, weights, units, options = {}) {
  const rows = x.map((row, i) => runRow(cells[name], row, mask[i], weights, units, options));
  return {
    outputs: rows.map(({ outputs }) => outputs),
    states: rows[0].states.map((_, s) => rows.map(({ states }) => states[s])),
  };
}

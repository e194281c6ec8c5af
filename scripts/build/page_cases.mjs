// SPDX-License-Identifier: MIT
// Some recorded cases of Keras for the page, as JSON.
import { readFileSync } from 'node:fs';
import { at } from '../lib/files.mjs';

const families = {
  masking: 2,
  embedding: 2,
  simple_rnn: 3,
  lstm: 3,
  gru: 3,
  bidirectional: 3,
  time_distributed: 2,
  global_pooling: 2,
  conv1d: 2,
  normalization: 2,
};

const readers = { float32: Float32Array, int32: Int32Array, bool: Uint8Array };

function nested({ shape, dtype, data }) {
  const { buffer } = new Uint8Array(Buffer.from(data, 'base64'));
  // Rounds to nine digits, which identify a 32-bit float.
  const values = Array.from(new readers[dtype](buffer), (each) =>
    dtype === 'bool' ? each !== 0 : Number(each.toPrecision(9)),
  );
  const size = (axis) => shape.slice(axis).reduce((product, each) => product * each, 1);
  const fill = (axis, from) =>
    axis === shape.length
      ? values[from]
      : Array.from({ length: shape[axis] }, (_, i) => fill(axis + 1, from + i * size(axis + 1)));
  return fill(0, 0);
}

/** True for a call that fits on a line: one input, one output and no other arguments. */
const isPlain = ({ arg, call, expect, inputs }) =>
  arg === 'single' &&
  Object.keys(call).length === 0 &&
  expect.outputs?.length === 1 &&
  !expect.random &&
  expect.outputs[0].shape.length > 1 &&
  inputs.length === 1;

/** Selects cases evenly from a family, only those with a mask if there are enough. */
function some(cases, count) {
  const masked = cases.filter(({ masks }) => masks[0]);
  const from = masked.length >= count ? masked : cases;
  return Array.from({ length: count }, (_, i) => from[Math.floor((i * from.length) / count)]);
}

export function pageCases() {
  return Object.entries(families).flatMap(([family, count]) => {
    const file = at('tests', 'fixtures', 'layers', `${family}.json`);
    const { cases } = JSON.parse(readFileSync(file, 'utf8'));
    return some(cases.filter(isPlain), count).map(
      ({ name, layer, inputs: [input], masks: [mask], weights, expect }) => ({
        name,
        layer,
        input: nested(input),
        dtype: input.dtype,
        mask: mask && nested(mask),
        weights: weights.map((each) => nested(each.value ?? each)),
        output: nested(expect.outputs[0]),
      }),
    );
  });
}

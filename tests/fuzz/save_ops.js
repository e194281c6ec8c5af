// SPDX-License-Identifier: MIT
// Saves a one-op model for each case of tests/support/op_cases.js, for real Keras to open:
// node tests/fuzz/save_ops.js FOLDER, then python tests/fuzz/open_saved.py FOLDER
import { mkdirSync, writeFileSync } from 'node:fs';
import * as mf from '../../dist/index.js';
import { cases } from '../support/op_cases.js';
import {
  binary,
  comparisons,
  questions,
  smooth,
  smoothWithOptions,
} from '../support/op_functions.js';

const [folder] = process.argv.slice(2);
await mf.ready();
mkdirSync(folder, { recursive: true });

const plain = (tensor) => ({
  shape: tensor.shape,
  dtype: tensor.dtype,
  data: [...tensor.data()].map((x) => (Number.isFinite(x) ? Number(x) : String(x))),
});
const tensorOf = (input) =>
  input.dtype ? mf.tensor(input.values, { dtype: input.dtype }) : mf.tensor(input);
const listOf = (value) => (value instanceof mf.Tensor ? [value] : Object.values(value));

/**
 * Cases that op_cases.js lacks: operands in a list, and settings that Keras passes as arguments.
 */
const more = {
  einsum: [[[[1, 2]], [[3], [4]]], (op, a, b) => op([a, b], 'ab,bc->ac')],
  fullLike: [[[[1, 2]]], (op, x) => op(x, 3)],
  pad: [
    [[[1, 2]]],
    (op, x) =>
      op(
        x,
        [
          [0, 0],
          [1, 2],
        ],
        { constantValues: 7 },
      ),
  ],
  countNonzero: [
    [
      [
        [1, 0],
        [2, 3],
      ],
    ],
    (op, x) => op(x, { axis: [0, 1], keepdims: true }),
  ],
  norm: [
    [
      [
        [1, -2],
        [3, 4],
      ],
    ],
    (op, x) => op(x, { ord: 1, axis: [0, 1] }),
  ],
  normalize: [
    [
      [
        [1, -2],
        [3, 4],
      ],
    ],
    (op, x) => op(x, { order: 3 }),
  ],
  round: [[[[1.256, -2.744]]], (op, x) => op(x, { decimals: 2 })],
};

const all = Object.entries(cases).flatMap(([name, list]) => list.map((item) => [name, item]));
const x = [[-2, -0.7, 0.1, 0.6, 3]];
const unaryCase = (name, ...options) => [name, [[x], (op, a) => op(a, ...options)]];
const binaryCase = (name) => [name, [[x, [[1, -0.7, 2, 0.3, -3]]], (op, a, b) => op(a, b)]];
all.push(
  ...[smooth, questions].flatMap(Object.keys).map((name) => unaryCase(name)),
  ...smoothWithOptions.map(([name, options]) => unaryCase(name, options)),
  ...[binary, comparisons].flatMap(Object.keys).map(binaryCase),
);
const index = [];
const problems = [];
for (const [name, [inputs, call]] of [...all, ...Object.entries(more)]) {
  try {
    const tensors = inputs.map(tensorOf);
    const symbols = tensors.map(({ shape, dtype }) => mf.Input({ batchShape: shape, dtype }));
    const outputs = listOf(call(mf.ops[name], ...symbols));
    const model = new mf.Model({ inputs: symbols, outputs });
    const file = `op_${String(index.length).padStart(4, '0')}.keras`;
    writeFileSync(`${folder}/${file}`, await model.save());
    const predicted = listOf(model.apply(tensors.length > 1 ? tensors : tensors[0]));
    index.push({
      file,
      name: `${name} ${String(call).slice(0, 90)}`,
      form: 'functional',
      inputs: tensors.map(plain),
      outputs: predicted.map(plain),
    });
  } catch (error) {
    problems.push(`${name}: ${error.name}: ${error.message}`.slice(0, 200));
  }
}
writeFileSync(`${folder}/index.json`, JSON.stringify(index));
console.log(`${index.length} models saved; not saved: ${problems.length}\n${problems.join('\n')}`);

// SPDX-License-Identifier: MIT
// Optional arguments of ops in files of Keras, from tests/fixtures/op_arguments/record.py.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as mf from '../../dist/index.js';

await mf.ready();
const recording = JSON.parse(
  readFileSync(new URL('../fixtures/op_arguments/cases.json', import.meta.url), 'utf8'),
);
const load = (architecture) =>
  mf.loadModel(new TextEncoder().encode(architecture), { weights: null });

for (const [name, { architecture, y }] of Object.entries(recording.cases)) {
  test(`${name}: has Keras's results, from its file and after saving`, async () => {
    const model = await load(architecture);
    for (const each of [model, await mf.loadModel(await model.save())]) {
      const actual = each.predict(recording.x).array();
      [actual].flat(9).forEach((value, i) => {
        const expected = [y].flat(9)[i];
        assert.ok(
          Math.abs(value - expected) <= 1e-5 * Math.max(1, Math.abs(expected)),
          `${value}, not ${expected}`,
        );
      });
      assert.equal([actual].flat(9).length, [y].flat(9).length);
    }
  });
}

for (const [name, architecture] of Object.entries(recording.refused)) {
  test(`${name}: is refused, not ignored`, async () => {
    await assert.rejects(load(architecture), mf.MaskflowError);
  });
}

for (const [name, { architecture, spec, shape, sums }] of Object.entries(recording.unknown)) {
  test(`${name}: has Keras's shape if sizes are unknown, and its results`, async () => {
    const model = await load(architecture);
    assert.deepEqual(model.outputs[0].shape, spec);
    for (const each of [model, await mf.loadModel(await model.save())]) {
      const y = each.predict(recording.longer, { batchSize: 7 });
      assert.deepEqual(y.shape, shape);
      const sum = (values) => values.flat(9).reduce((total, value) => total + value, 0);
      const actualSums = [sum(y.array()), sum(mf.ops.absolute(y).array()), sum(y.array()[0])];
      actualSums.forEach((value, i) => {
        assert.ok(Math.abs(value - sums[i]) <= 1e-4 * Math.max(1, Math.abs(sums[i])), name);
      });
    }
  });
}

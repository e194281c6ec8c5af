// SPDX-License-Identifier: MIT
// Constants in calls and settings of model files: Keras 3.15.1's results, after loading, and after
// saving and loading.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import * as mf from '../../../dist/index.js';

await mf.ready();
const folder = new URL('../../fixtures/constants/', import.meta.url);
const read = (name) => readFileSync(new URL(name, folder));
const expected = JSON.parse(read('expected.json').toString());

function near(actual, expected, title) {
  const [a, b] = [actual, expected].map((value) => [value].flat(9));
  assert.equal(a.length, b.length, title);
  for (const [i, value] of b.entries())
    assert.ok(Math.abs(a[i] - value) < 2e-6, `${title}: [${i}] ${a[i]}, not ${value}`);
}

for (const [name, { x, y }] of Object.entries(expected)) {
  test(`a model with constants: ${name} has Keras's results`, async () => {
    const model = await mf.loadModel(read(`${name}.keras`));
    near(model.predict(mf.tensor(x)).array(), y, 'loaded');
    const copy = await mf.loadModel(await model.save());
    near(copy.predict(mf.tensor(x)).array(), y, 'saved and loaded');
    near(
      mf.Model.fromConfig(model.toJSON()).apply(mf.tensor(x)).shape,
      model.predict(mf.tensor(x)).shape,
      'from its configuration',
    );
  });
}

test('constants of JavaScript are saved with their dtype', async () => {
  const x = mf.Input({ shape: [2, 3] });
  const ids = mf.Input({ shape: [3], dtype: 'int32' });
  const positions = mf.tensor([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  const y = mf.ops.add(x, positions);
  const z = mf.ops.multiply(ids, mf.tensor([1, 2, 3], { dtype: 'int32' }));
  const halves = mf.ops.multiply(ids, mf.tensor(2));
  const model = new mf.Model({ inputs: [x, ids], outputs: [y, z, halves] });
  const inputs = [
    mf.tensor([
      [
        [1, 1, 1],
        [2, 2, 2],
      ],
    ]),
    mf.tensor([[1, 2, 3]], { dtype: 'int32' }),
  ];
  const expected = model.apply(inputs);
  const copy = await mf.loadModel(await model.save());
  for (const [i, actual] of copy.apply(inputs).entries()) {
    assert.deepEqual(actual.array(), expected[i].array());
    assert.equal(actual.dtype, expected[i].dtype);
  }
});

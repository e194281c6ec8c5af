// SPDX-License-Identifier: MIT
// Which dropouts of saved models run, by the `training` of nodes, models and calls, in Keras 3.15
// and in 3.16; tests/fixtures/keras_316/training.py recorded them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as mf from '../../dist/train.js';

const fixtures = new URL('../fixtures/keras_316/', import.meta.url);
const read = (version) =>
  JSON.parse(gunzipSync(readFileSync(new URL(`training_${version}.json.gz`, fixtures))));
const fileOf = ({ file }) => new Uint8Array(Buffer.from(file, 'base64'));

const calls = {
  predict: (model, x) => model.predict(x),
  None: (model, x) => model.apply(x),
  False: (model, x) => model.apply(x, { training: false }),
  True: (model, x) => model.apply(x, { training: true }),
};

/**
 * Returns the recorded results without one that differs: without `training`, Keras 3.15 passes the
 * default that it recorded for a dropout on to models that run after it.
 */
function expectedOf({ name, dropped }, version) {
  const { None, ...given } = dropped;
  return version === '3.15' && name.startsWith('model') ? given : dropped;
}

/** Returns for each call of a model which of its outputs have zeros. */
function droppedBy(model) {
  const x = mf.ops.ones([1, 64]);
  const hasZeros = (tensor) => tensor.data().includes(0);
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [name, [call(model, x)].flat().map(hasZeros)]),
  );
}

for (const version of ['3.15', '3.16']) {
  const { cases } = read(version);
  test(`dropouts of files of Keras ${version} run as there`, async () => {
    await mf.ready({ maskPropagation: 'keras-3.15' });
    assert.ok(cases.length > 30);
    for (const each of cases) {
      const model = await mf.loadModel(fileOf(each));
      const again = await mf.loadModel(await model.save());
      const expected = expectedOf(each, version);
      for (const [title, loaded] of Object.entries({ loaded: model, 'saved again': again })) {
        const dropped = droppedBy(loaded);
        for (const call of Object.keys(expected)) {
          assert.deepEqual(dropped[call], expected[call], `${each.name} ${title}, ${call}`);
        }
      }
    }
  });
}

test('models made here follow the rule of ready', async () => {
  for (const version of ['3.15', '3.16']) {
    await mf.ready({ maskPropagation: `keras-${version}` });
    const { dropped } = read(version).cases.find(({ name }) => name === '(True, False)');
    const x = mf.Input({ shape: [64] });
    const outputs = [true, false].map((training) =>
      mf.layers.dropout({ rate: 0.5 }).apply(x, { training }),
    );
    assert.deepEqual(droppedBy(new mf.Model({ inputs: x, outputs })), dropped, version);
  }
});

test('older files keep their dropouts in training under the rule of 3.16', async () => {
  const [file] = read('3.15').cases.map(fileOf);
  await mf.ready({ maskPropagation: 'keras-3.16' });
  const model = await mf.loadModel(file);
  assert.deepEqual(droppedBy(model).True, [true, true]);
  await mf.ready({ maskPropagation: 'keras-3.15' });
  const other = await mf.loadModel(file, { maskPropagation: 'keras-3.16' });
  assert.deepEqual(droppedBy(other).True, [true, true]);
});

test('an explicit training holds for the rest of the call of a custom layer, as in Keras', async () => {
  await mf.ready({ maskPropagation: 'keras-3.15' });
  class Two extends mf.Layer {
    first = mf.layers.dropout({ rate: 0.5 });
    second = mf.layers.dropout({ rate: 0.5 });
    call(x) {
      return [this.first.apply(x, { training: true }), this.second.apply(x)];
    }
  }
  const two = new Two();
  const x = mf.ops.ones([1, 64]);
  const dropped = two.apply(x).map((tensor) => tensor.data().includes(0));
  assert.deepEqual(dropped, [true, true]);
  assert.ok(!two.second.apply(x).data().includes(0), 'the next call is another one');
});

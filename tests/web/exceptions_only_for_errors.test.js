// SPDX-License-Identifier: MIT
// Without an error the core throws nothing: exceptions in WebAssembly are slow, and WebKit loses
// some (docs/errors.md).
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { thrownBy } from '../support/thrown.js';

const { Input, Layer, layers, loadModel, Model, ops, ready, registerLayer, Sequential } = mf;
const ids = [
  [1, 2, 0],
  [3, 4, 5],
];
const print = () => {};
class Twice extends Layer {
  call(x) {
    return ops.multiply(x, 2);
  }
}
registerLayer(Twice, { package: 'thrown' });

before(() => ready({ onMaskDropped: 'silent' }));

const embedding = () => layers.embedding({ inputDim: 10, outputDim: 4, maskZero: true });

const programs = {
  async 'a Sequential whose input shapes are not known yet'() {
    const gru = layers.gru({ units: 3, returnSequences: true });
    const model = new Sequential([
      embedding(),
      new Twice(),
      layers.bidirectional({ layer: gru }),
      layers.lstm({ units: 2 }),
      layers.dense({ units: 1 }),
    ]);
    model.summary({ print });
    model.compile({ optimizer: 'adam', loss: 'mse', metrics: ['mae'] });
    await model.fit(ids, [[1], [0]], { epochs: 2, verbose: 0, validationSplit: 0.5 });
    model.predict(ids);
    model.evaluate(ids, [[1], [0]]);
    model.summary({ print });
    await loadModel(await model.save());
  },

  'a Functional model, for sequences of two lengths'() {
    const x = Input({ shape: [null], dtype: 'int32' });
    const h = embedding().apply(x);
    const attention = layers.multiHeadAttention({ numHeads: 2, keyDim: 2 });
    const sum = layers.add().apply([h, attention.apply({ query: h, value: h })]);
    const outputs = layers.globalAveragePooling1D().apply(ops.relu(sum));
    const model = new Model({ inputs: x, outputs });
    model.predict(ids);
    model.predict([[1, 2, 3, 0]]);
    model.summary({ print });
  },

  'a stream'() {
    const gru = layers.gru({ units: 4, returnSequences: true });
    const model = new Sequential([Input({ shape: [null, 3] }), gru, layers.dense({ units: 1 })]);
    const stream = model.stream();
    stream.step(new Float32Array(3));
    stream.reset();
  },

  async 'files that Keras wrote'() {
    const folder = new URL('../fixtures/trained/', import.meta.url);
    const files = readdirSync(folder).filter((name) => name.endsWith('.keras'));
    assert.ok(files.length > 0);
    for (const file of files) {
      const model = await loadModel(readFileSync(new URL(file, folder)));
      model.summary({ print });
      await model.save();
    }
  },
};

for (const [title, program] of Object.entries(programs))
  test(title, async () => assert.deepEqual(await thrownBy(program), []));

test('an exception for a real error is seen by this test', async () => {
  const stacks = await thrownBy(() =>
    assert.throws(() => layers.dense({ units: -1 }), { name: 'ConfigError' }),
  );
  assert.ok(stacks.length > 0);
});

// SPDX-License-Identifier: MIT
// Cached results (packed matrices, projected rows of embeddings, tables) follow every write to the
// weights: after any change a model predicts, to the bit, what a copy from its file predicts.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import {
  behindEmbedding,
  bitsOf,
  compileFor,
  direct,
  freshCopy,
  modelOf,
  recordedCases,
  scaled,
} from '../support/kept.js';

const { Input, Layer, layers, Model, ops, optimizers, registerLayer, tensor } = mf;
before(() => mf.ready({ seed: 3, onMaskDropped: 'silent' }));

async function train({ model, x, y }) {
  compileFor(model, y);
  await model.fit(x, y, { batchSize: x.shape?.[0] ?? x[0].shape[0], epochs: 2, shuffle: false });
}

/** Ways to change the weights of a model that has already predicted. */
const changes = {
  'is trained': train,
  async 'is frozen while the layers before it are trained'(parts) {
    if (!parts.embedding) return;
    parts.layer.trainable = false;
    await train(parts);
    parts.layer.trainable = true;
  },
  async 'is trained after a frozen embedding'(parts) {
    if (!parts.embedding) return;
    parts.embedding.trainable = false;
    await train(parts);
    parts.embedding.trainable = true;
  },
  'gets weights from setWeights of the model'({ model }) {
    model.setWeights(scaled(model.getWeights()));
  },
  'gets weights from setWeights of each layer'({ model }) {
    for (const layer of model.layers) layer.setWeights(scaled(layer.getWeights(), 0.75));
  },
  'has single weights changed by an optimizer'({ layer }) {
    for (const variable of layer.trainableVariables) {
      const optimizer = optimizers.sgd({ learningRate: 0.25 });
      optimizer.apply([ops.ones(variable.shape)], [variable]);
      optimizer.dispose();
    }
  },
  async 'gets weights from a file'({ model }) {
    const copy = await freshCopy(model);
    copy.setWeights(scaled(copy.getWeights(), 1.5));
    await model.loadWeights(await copy.saveWeights());
    copy.dispose();
  },
  async 'is shared with a model that is trained'({ createOther, x, y }) {
    await train({ model: createOther(), x, y });
  },
  async 'shares only its embedding'({ embedding, ids, x }) {
    if (!embedding) return;
    const output = layers.dense({ units: 1 }).apply(embedding.apply(ids));
    const otherModel = new Model({ inputs: ids, outputs: output });
    const y = ops.zeros([...x.shape, 1]);
    await train({ model: otherModel, x, y });
  },
};

async function check(make) {
  for (const [change, apply] of Object.entries(changes)) {
    const parts = make();
    if (parts === null) return;
    bitsOf(parts.model, parts.x);
    for (const round of [1, 2]) {
      await apply(parts);
      const copy = await freshCopy(parts.model);
      assert.equal(bitsOf(parts.model, parts.x), bitsOf(copy, parts.x), `${change}, ${round}`);
      copy.dispose();
    }
    parts.model.dispose();
  }
}

/**
 * A file contains the floats from which quantized weights were computed, not the quantized weights.
 */
async function checkQuantized(make) {
  for (const activations of ['float32', 'int8']) {
    const parts = make();
    if (parts === null) return;
    const { model, x } = parts;
    bitsOf(model, x);
    const copy = await freshCopy(model);
    for (const network of [model, copy]) await network.quantize('int8', { activations });
    assert.equal(bitsOf(model, x), bitsOf(copy, x), `quantized, activations: ${activations}`);
    await changes['gets weights from setWeights of the model'](parts);
    const floats = await freshCopy(model);
    assert.equal(bitsOf(model, x), bitsOf(floats, x), 'floats again');
    for (const network of [model, copy, floats]) network.dispose();
  }
}

const makers = (item) => [
  () => direct(item),
  () => behindEmbedding(item),
  () => behindEmbedding(item, true),
];

for (const { name, cases } of recordedCases()) {
  test(`${name} predicts with its current weights`, async () => {
    for (const item of cases) {
      for (const make of makers(item)) {
        await check(make);
        await checkQuantized(make);
      }
    }
  });
}

class GrowingCell extends Layer {
  stateSize = 3;
  build() {
    this.kernel = this.addWeight({ name: 'kernel', shape: [5, 3] });
  }
  call(inputs, { states }) {
    const output = ops.add(ops.matmul(inputs, this.kernel), states[0]);
    return [output, [output]];
  }
}
registerLayer(GrowingCell);

const cellLists = {
  'a custom cell': () => new GrowingCell(),
  'a custom cell below a built-in one': () => [new GrowingCell(), layers.gruCell({ units: 2 })],
  'a built-in cell below a custom one': () => [layers.lstmCell({ units: 5 }), new GrowingCell()],
  'stacks of stacks': () => [
    layers.stackedRNNCells({
      cells: [layers.lstmCell({ units: 4 }), layers.gruCell({ units: 3 })],
    }),
    layers.simpleRNNCell({ units: 2 }),
  ],
};

for (const [name, cells] of Object.entries(cellLists)) {
  for (const wrap of ['rnn', 'bidirectional']) {
    test(`${wrap} of ${name} predicts with its current weights`, async () => {
      await check(() => {
        const ids = Input({ shape: [6], dtype: 'int32' });
        const embedding = layers.embedding({ inputDim: 7, outputDim: 5 });
        const rnn = layers.rnn({ cell: cells() });
        const layer = wrap === 'rnn' ? rnn : layers.bidirectional({ layer: rnn });
        const call = () => layer.apply(embedding.apply(ids));
        const numbers = Int32Array.from({ length: 12 }, (_, i) => (i * 5) % 7);
        const x = tensor(numbers, { shape: [2, 6], dtype: 'int32' });
        return { layer, embedding, ids, ...modelOf(ids, call, x) };
      });
    });
  }
}

test('a stream steps with the current weights', async () => {
  const model = new mf.Sequential([
    Input({ shape: [null], dtype: 'int32' }),
    layers.embedding({ inputDim: 7, outputDim: 4 }),
    layers.rnn({ cell: [layers.lstmCell({ units: 5 }), layers.gruCell({ units: 3 })] }),
    layers.dense({ units: 2 }),
  ]);
  const x = tensor([[1, 4, 6, 4, 2, 1]], { dtype: 'int32' });
  const steps = (stream) => {
    stream.reset();
    return Array.from(x.data(), (id) => stream.step(Int32Array.of(id)).array());
  };
  const stream = model.stream();
  steps(stream);
  const parts = { model, layer: model.layers[1], embedding: model.layers[0], x };
  parts.y = ops.zeros(model.predict(x).shape);
  for (const [change, apply] of Object.entries(changes)) {
    if (/\bshare/.test(change)) continue;
    await apply(parts);
    const copy = await freshCopy(model);
    assert.deepEqual(steps(stream), steps(copy.stream()), change);
    copy.dispose();
  }
});

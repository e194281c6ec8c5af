// SPDX-License-Identifier: MIT
// The programs of tests/fixtures/tfjs_programs/programs.mjs, with this package: the rows of
// docs/from-tensorflow-js.md in both languages, with the same numbers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as mf from '../../../dist/train.js';
import { fill, ids, programsBeside, wave, written } from '../../support/guide_programs.js';

const { initializers, Input, keep, Layer, layers, loadModel, memory, Model, ops } = mf;
const { optimizers, ready, registerLayer, Sequential, tensor, tidy, valueAndGradients } = mf;
await ready({ seed: 1 });

const folder = new URL('../../fixtures/tfjs_programs/', import.meta.url);
const recording = JSON.parse(readFileSync(new URL('recording.json', folder), 'utf8'));
const program = programsBeside(recording);

const sequential = () =>
  new Sequential([
    Input({ shape: [5], dtype: 'int32' }),
    layers.embedding({ inputDim: 9, outputDim: 3, maskZero: true }),
    layers.lstm({ units: 4, returnSequences: true }),
    layers.lstm({ units: 3 }),
    layers.dense({ units: 2, activation: 'softmax' }),
  ]);

function small(settings) {
  const model = new Sequential([
    Input({ shape: [3] }),
    layers.dense({ units: 4, activation: 'tanh' }),
    layers.dense({ units: 1, activation: 'sigmoid' }),
  ]);
  fill(model);
  model.compile(settings);
  return model;
}

const inputs = () => wave([8, 3]);
const targets = () => ids([8, 1], 2);

program('sequential', () => ({ scores: fill(sequential()).predict(ids([3, 5], 9)) }));

program('functional', () => {
  const [words, extra] = [Input({ shape: [null], dtype: 'int32' }), Input({ shape: [2] })];
  const table = layers.embedding({ inputDim: 9, outputDim: 3 });
  const states = layers.simpleRNN({ units: 3 }).apply(table.apply(words));
  const joined = layers.concatenate().apply([states, extra]);
  const outputs = [
    layers.dense({ units: 1, name: 'score' }).apply(joined),
    layers.dense({ units: 2, activation: 'softmax', name: 'kind' }).apply(joined),
  ];
  const model = fill(new Model({ inputs: [words, extra], outputs }));
  const [score, kind] = model.predict([ids([2, 4], 9), wave([2, 2])]);
  return { score, kind };
});

program('calls', () => {
  const x = tensor(wave([2, 3, 4]));
  const normalize = layers.batchNormalization();
  const [inference, training] = [normalize.apply(x), normalize.apply(x, { training: true })];
  const both = layers.bidirectional({ layer: layers.lstm({ units: 2 }), mergeMode: 'concat' });
  both.apply(x);
  fill(both);
  return { inference, training, both: both.apply(x) };
});

program('tensors', () => {
  const [x, y] = [tensor(wave([2, 3])), tensor(wave([6], 1), [2, 3])];
  return {
    arithmetic: x.add(y).multiply(x).subtract(y).divide(2).relu(),
    sums: [x.sum(1), x.mean(0), x.max(1)],
    softmax: ops.softmax(x, -1),
    argMax: x.argmax(-1),
    parts: [x.getItem([{}, { start: 1 }]), x.take([1, 0], { axis: 1 }), x.reshape([3, 2])],
    joined: [ops.concatenate([x, y], 0), ops.stack([x, y])],
    oneHot: ops.oneHot([0, 2, 1], 3),
    product: x.matmul(y.transpose()),
  };
});

program('memory', () => {
  const before = memory().tensors;
  const kept = tidy(() => keep(tensor([1, 2]).square()));
  const result = tidy(() => kept.add(1).multiply(2).sum());
  const value = result.data()[0];
  const during = memory().tensors - before;
  kept.dispose();
  result.dispose();
  return { value, during, after: memory().tensors - before };
});

program('gradients', () => {
  const [w, b] = [new mf.Variable([0.5, -1, 2]), new mf.Variable(0.1)];
  const x = tensor(wave([4, 3]));
  const loss = () => x.multiply(w).sum(1).add(b).square().mean();
  const { value, gradients } = valueAndGradients(loss, [w, b]);
  return { value, w: gradients[0], b: gradients[1] };
});

program('fit', async () => {
  const model = small({
    optimizer: optimizers.sgd(0.5),
    loss: 'binaryCrossentropy',
    metrics: ['accuracy'],
  });
  const seen = [];
  const { history } = await model.fit(inputs(), targets(), {
    epochs: 3,
    batchSize: 4,
    shuffle: false,
    verbose: 0,
    callbacks: { onEpochEnd: (epoch, { loss }) => void seen.push([epoch, loss]) },
  });
  const { loss, accuracy } = history;
  return { history: { loss, accuracy }, seen, weights: model.getWeights() };
});

program('batches', async () => {
  const optimizer = optimizers.sgd({ learningRate: 0.1, momentum: 0.9 });
  const model = small({ optimizer, loss: 'meanSquaredError' });
  function* dataset() {
    for (let i = 0; i < 2; i++) yield { xs: wave([4, 3], i), ys: ids([4, 1], 2) };
  }
  const { history } = await model.fit(dataset, undefined, { epochs: 2, verbose: 0 });
  const { loss } = model.evaluate(inputs(), targets(), { batchSize: 8 });
  return { history: history.loss, loss };
});

program('files', async () => {
  const model = fill(sequential());
  const files = await model.saveTfjs();
  const [group] = JSON.parse(new TextDecoder().decode(files.get('model.json'))).weightsManifest;
  const list = [...files].map(([name, bytes]) => new File([bytes], name));
  const loaded = await loadModel({ files: list });
  const names = group.weights.map(({ name }) => name.split('/').at(-1));
  return { scores: loaded.predict(ids([2, 5], 9)), names };
});

program('classes', () => {
  class Scale extends Layer {
    build(shape) {
      this.factor = this.addWeight({
        name: 'factor',
        shape: [shape.at(-1)],
        initializer: initializers.constant({ value: 3 }),
      });
    }
    call(x) {
      return ops.multiply(x, this.factor);
    }
  }
  registerLayer(Scale);
  const model = new Sequential([Input({ shape: [3] }), layers.dense({ units: 2 }), new Scale()]);
  fill(model.layers[0]);
  return { y: model.predict(inputs()), parameters: model.countParams() };
});

test('every program of TensorFlow.js is written here', () => {
  assert.deepEqual([...written].sort(), Object.keys(recording).sort());
});

// SPDX-License-Identifier: MIT
// The layers inside of wrappers are properties with the names of Keras.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/train.js';

const { layers, Sequential } = mf;

before(() => mf.ready());

test('a wrapper returns the layers inside, the same objects each time', () => {
  const byStep = layers.timeDistributed({ layer: layers.dense({ units: 2, name: 'inner' }) });
  assert.equal(byStep.layer.name, 'inner');
  assert.equal(byStep.layer, byStep.layer);
  const both = layers.bidirectional({ layer: layers.gru({ units: 2, name: 'gru' }) });
  assert.equal(both.forwardLayer.name, 'forward_gru');
  assert.equal(both.backwardLayer.name, 'backward_gru');
  const spectral = layers.spectralNormalization({ layer: layers.dense({ units: 2 }) });
  assert.equal(spectral.layer.className, 'Dense');
});

test('a recurrent layer returns its cell, and several cells as a stack', () => {
  const cell = layers.gruCell({ units: 2 });
  assert.equal(layers.rnn({ cell }).cell, cell);
  const cells = [layers.gruCell({ units: 2 }), layers.lstmCell({ units: 3 })];
  const stack = layers.rnn({ cell: cells }).cell;
  assert.equal(stack.className, 'StackedRNNCells');
  assert.deepEqual(
    stack.cells.map(({ name }) => name),
    cells.map(({ name }) => name),
  );
});

test('the layers inside of a loaded wrapper can be frozen', async () => {
  const model = new Sequential([
    mf.Input({ shape: [3, 2] }),
    layers.bidirectional({ layer: layers.gru({ units: 2, returnSequences: true }) }),
    layers.timeDistributed({ layer: layers.dense({ units: 1 }) }),
  ]);
  const [both, byStep] = (await mf.loadModel(await model.save())).layers;
  both.forwardLayer.trainable = false;
  assert.deepEqual([both.trainableWeights.length, both.nonTrainableWeights.length], [3, 3]);
  byStep.layer.trainable = false;
  assert.equal(byStep.trainableWeights.length, 0);
});

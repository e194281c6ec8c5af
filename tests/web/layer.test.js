// SPDX-License-Identifier: MIT
// Abilities of every layer: apply, masks, weights, states, names, disposal.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { close, leavesNothing, letters, live, rows } from '../support/watch.js';

before(() => mf.ready());

const { layers, ops, tensor } = mf;
const x = () => ops.reshape(ops.arange(12, { dtype: 'float32' }), [2, 3, 2]);
const ids = (values = [[1, 2, 0]]) => tensor(values, { dtype: 'int32' });

test('apply computes on tensors and arrays, and records on symbolic tensors', () => {
  const layer = layers.dense({ units: 3 });
  const input = [[1, 2]];
  const eager = layer.apply(tensor(input));
  assert.deepEqual([eager.shape, eager.isSymbolic], [[1, 3], false]);
  assert.deepEqual(layer.apply(input).array(), eager.array());
  const symbol = layer.apply(mf.Input({ shape: [2] }));
  assert.deepEqual([symbol.shape, symbol.isSymbolic], [[null, 3], true]);
});

test('ids may be a plain array', () => {
  const layer = layers.embedding({ inputDim: 5, outputDim: 2, maskZero: true });
  assert.deepEqual(letters(layer.apply([[1, 0]]).mask), ['TF']);
});

test('layers with states return a list', () => {
  for (const [layer, stateCount] of [
    [layers.lstm({ units: 8, returnState: true }), 2],
    [layers.gru({ units: 8, returnState: true }), 1],
    [layers.simpleRNN({ units: 8, returnState: true, returnSequences: true }), 1],
  ]) {
    const [y, ...rest] = layer.apply(x());
    assert.equal(rest.length, stateCount, layer.className);
    assert.deepEqual(y.shape, layer.className === 'SimpleRNN' ? [2, 3, 8] : [2, 8]);
    for (const state of rest) assert.deepEqual(state.shape, [2, 8]);
  }
});

test('initialState may be one tensor or one per state; continuing equals one long run', () => {
  const lstm = layers.lstm({ units: 3, returnState: true });
  const [first, second] = ops.split(x(), [1], { axis: 1 });
  const [, h, c] = lstm.apply(first);
  const [y] = lstm.apply(second, { initialState: [h, c] });
  close(y.array(), lstm.apply(x())[0].array());
  const gru = layers.gru({ units: 3, returnState: true });
  const [, state] = gru.apply(first);
  close(gru.apply(second, { initialState: state })[0].array(), gru.apply(x())[0].array());
});

test('training: true enables dropout', () => {
  const layer = layers.dropout({ rate: 0.5 });
  const ones = ops.ones([20, 20]);
  assert.deepEqual(layer.apply(ones).array(), ones.array());
  assert.deepEqual(layer.apply(ones, { training: false }).array(), ones.array());
  const values = [...layer.apply(ones, { training: true }).data()];
  assert.ok(values.includes(0) && values.every((value) => value === 0 || value === 2));
});

test('computeMask returns the mask alone, for tensors and arrays', () => {
  const embedding = layers.embedding({ inputDim: 5, outputDim: 2, maskZero: true });
  assert.deepEqual(letters(embedding.computeMask(ids())), ['TTF']);
  assert.deepEqual(letters(embedding.computeMask([[0, 4]])), ['FT']);
  assert.equal(layers.embedding({ inputDim: 5, outputDim: 2 }).computeMask(ids()), null);
  const mask = rows('TTF TFF');
  const sequences = layers.lstm({ units: 2, returnSequences: true });
  for (const form of [mask, tensor(mask), Uint8Array.of(1, 1, 0, 1, 0, 0)]) {
    assert.deepEqual(letters(sequences.computeMask(x(), form)), ['TTF', 'TFF']);
    assert.equal(layers.lstm({ units: 2 }).computeMask(x(), form), null);
  }
  assert.equal(sequences.computeMask(x()), null);
});

test('applyWithMask returns output and mask at once', () => {
  const { output, mask } = layers.masking().applyWithMask([
    [
      [1, 0],
      [0, 0],
    ],
  ]);
  assert.deepEqual(output.array(), [
    [
      [1, 0],
      [0, 0],
    ],
  ]);
  assert.deepEqual(letters(mask), ['TF']);
  assert.equal(layers.dense({ units: 1 }).applyWithMask([[1]]).mask, null);
});

test("build creates the weights, listed in Keras's order", () => {
  const layer = layers.lstm({ units: 2, name: 'memory' });
  assert.deepEqual([layer.built, layer.weights], [false, []]);
  layer.build([null, null, 16]);
  assert.equal(layer.built, true);
  const cell = layer.weights[0].path.split('/')[1];
  assert.deepEqual(layer.weights, [
    {
      name: 'kernel',
      path: `memory/${cell}/kernel`,
      shape: [16, 8],
      dtype: 'float32',
      trainable: true,
    },
    {
      name: 'recurrent_kernel',
      path: `memory/${cell}/recurrent_kernel`,
      shape: [2, 8],
      dtype: 'float32',
      trainable: true,
    },
    { name: 'bias', path: `memory/${cell}/bias`, shape: [8], dtype: 'float32', trainable: true },
  ]);
  assert.equal(layer.countParams(), 16 * 8 + 2 * 8 + 8);
  assert.throws(() => layers.dense({ units: 1 }).build([null, null]), mf.ShapeError);
});

test('setWeights accepts tensors, flat typed arrays and nested arrays; getWeights returns tensors', () => {
  const layer = layers.dense({ units: 2 });
  layer.build([null, 2]);
  layer.setWeights([Float32Array.of(1, 2, 3, 4), [5, 6]]);
  assert.deepEqual(
    layer.getWeights().map((w) => w.array()),
    [
      [
        [1, 2],
        [3, 4],
      ],
      [5, 6],
    ],
  );
  assert.deepEqual(layer.apply([[1, 1]]).array(), [[9, 12]]);
  const otherLayer = layers.dense({ units: 2 });
  otherLayer.build([null, 2]);
  otherLayer.setWeights(layer.getWeights());
  assert.deepEqual(otherLayer.apply([[1, 1]]).array(), [[9, 12]]);
});

test('a wrong weight leaves all weights unchanged', () => {
  const layer = layers.dense({ units: 1 });
  layer.build([null, 1]);
  layer.setWeights([[[2]], [3]]);
  assert.throws(() => layer.setWeights([[[7]], [8, 9]]), mf.ShapeError);
  assert.deepEqual(layer.apply([[1]]).array(), [[5]]);
});

test('getWeights returns copies, and arguments of setWeights may be disposed of', () => {
  const layer = layers.dense({ units: 1, useBias: false });
  layer.build([null, 1]);
  const weight = tensor([[2]]);
  layer.setWeights([weight]);
  weight.dispose();
  const [kernel] = layer.getWeights();
  layer.setWeights([[[4]]]);
  assert.deepEqual([kernel.item(), layer.apply([[1]]).item()], [2, 4]);
});

test('trainable: false moves the weights to the other list', () => {
  const layer = layers.dense({ units: 1, trainable: false });
  layer.build([null, 1]);
  assert.deepEqual(
    [layer.trainable, layer.trainableWeights.length, layer.nonTrainableWeights.length],
    [false, 0, 2],
  );
  layer.trainable = true;
  assert.equal(layer.trainableWeights.length, 2);
});

test('resetState returns a stateful layer to its initial state', () => {
  const layer = layers.lstm({ units: 2, stateful: true });
  const input = x();
  const [first, second] = [layer.apply(input).array(), layer.apply(input).array()];
  assert.notDeepEqual(first, second);
  layer.resetState();
  assert.deepEqual(layer.apply(input).array(), first);
  layer.resetStates();
  assert.deepEqual(layer.apply(input).array(), first);
  assert.equal(layer.stateful, true);
});

test('computeOutputShape returns shapes without computing', () => {
  const sequences = layers.gru({ units: 4, returnSequences: true });
  assert.deepEqual(sequences.computeOutputShape([null, null, 3]), [null, null, 4]);
  assert.deepEqual(layers.flatten().computeOutputShape([null, 3, 4]), [null, 12]);
  const states = layers.lstm({ units: 4, returnState: true });
  assert.deepEqual(states.computeOutputShape([2, 5, 3]), [
    [2, 4],
    [2, 4],
    [2, 4],
  ]);
  assert.throws(() => sequences.computeOutputShape(3), mf.ShapeError);
});

test('names are given by the user or numbered by class', () => {
  assert.equal(layers.dense({ units: 1, name: 'mine' }).name, 'mine');
  const [a, b] = [layers.simpleRNN({ units: 1 }).name, layers.simpleRNN({ units: 1 }).name];
  assert.match(a, /^simple_rnn(_\d+)?$/);
  assert.equal(Number(b.match(/\d+$/)[0]), Number(a.match(/\d+$/)?.[0] ?? 0) + 1);
});

test("default names are Keras's", () => {
  const expected = {
    conv1D: ['conv1d', { filters: 1, kernelSize: 1 }],
    globalAveragePooling1D: ['global_average_pooling1d', {}],
    lstmCell: ['lstm_cell', { units: 1 }],
    gru: ['gru', { units: 1 }],
    timeDistributed: ['time_distributed', { layer: layers.dense({ units: 1 }) }],
  };
  for (const [factory, [name, config]] of Object.entries(expected)) {
    assert.equal(layers[factory](config).name.replace(/_\d+$/, ''), name);
  }
});

test('supportsMasking says whether a layer passes masks on or creates them', () => {
  assert.equal(layers.lstm({ units: 1 }).supportsMasking, true);
  assert.equal(layers.flatten().supportsMasking, false);
  assert.equal(layers.embedding({ inputDim: 2, outputDim: 1 }).supportsMasking, false);
  assert.equal(
    layers.embedding({ inputDim: 2, outputDim: 1, maskZero: true }).supportsMasking,
    true,
  );
});

test('a custom layer with a list of inputs receives one mask for each', () => {
  class Pick extends mf.Layer {
    call([a, b], { mask }) {
      this.seen = mask.map(letters);
      return ops.add(a, b);
    }
  }
  const pick = new Pick();
  pick.apply([ops.ones([1, 2, 1]), ops.ones([1, 2, 1])], {
    mask: [rows('TF'), Uint8Array.of(0, 1)],
  });
  assert.deepEqual(pick.seen, [['TF'], ['FT']]);
  assert.throws(
    () =>
      pick.apply([ops.ones([1, 2, 1]), ops.ones([1, 2, 1])], { mask: [null, null, rows('TF')] }),
    /2 inputs.*input 3/,
  );
});

test('dispose and using free the weights', () => {
  leavesNothing(() => {
    const layer = layers.bidirectional({ layer: layers.lstm({ units: 3 }) });
    const y = layer.apply([[[1, 2]]]);
    assert.ok(live().tensors >= 7);
    y.dispose();
    layer[Symbol.dispose]();
    layer.dispose();
    assert.throws(() => layer.weights, mf.StateError);
  });
});

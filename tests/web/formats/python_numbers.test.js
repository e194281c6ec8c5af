// SPDX-License-Identifier: MIT
// Saved files follow Python's rules: floats have a point, and operations are called as in Python.
// tests/fuzz/save_trained.js and save_ops.js show that Keras loads them.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { unzipSync } from 'fflate';
import * as mf from '../../../dist/train.js';

before(() => mf.ready());
const { layers, metrics, ops, optimizers, schedules } = mf;
const textIn = (bytes) => new TextDecoder().decode(unzipSync(bytes)['config.json']);

async function savedText(chain, options) {
  const model = new mf.Sequential([mf.Input({ shape: [3] }), ...chain]);
  if (options) model.compile(options);
  const bytes = await model.save();
  await mf.loadModel(bytes);
  return textIn(bytes);
}

describe('settings that Python reads as floats have a point:', () => {
  test('those of layers, initializers, regularizers and constraints', async () => {
    const text = await savedText([
      layers.dense({
        units: 2,
        kernelInitializer: {
          class_name: 'Constant',
          config: { value: 1 },
          module: 'keras.initializers',
        },
        kernelRegularizer: { class_name: 'L2', config: { l2: 1 }, module: 'keras.regularizers' },
        kernelConstraint: {
          class_name: 'MaxNorm',
          config: { max_value: 2, axis: 0 },
          module: 'keras.constraints',
        },
      }),
      layers.batchNormalization({ momentum: 0, epsilon: 1 }),
      layers.dropout({ rate: 0, seed: 3 }),
      layers.reLU({ maxValue: 6 }),
    ]);
    for (const part of [
      '"units":2,',
      '"value":1.0}',
      '"l2":1.0}',
      '"max_value":2.0,"axis":0}',
      '"momentum":0.0,',
      '"epsilon":1.0,',
      '"rate":0.0,',
      '"seed":3}',
      '"max_value":6.0,',
      '"negative_slope":0.0,',
    ]) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
  });

  test('those of optimizers, schedules, losses and metrics', async () => {
    const text = await savedText([layers.dense({ units: 2 })], {
      optimizer: optimizers.sgd({
        learningRate: schedules.exponentialDecay({
          initialLearningRate: 1,
          decaySteps: 10,
          decayRate: 1,
        }),
        momentum: 0,
        clipnorm: 1,
      }),
      loss: { class_name: 'Huber', config: { delta: 2 } },
      metrics: [
        metrics.fBetaScore({ beta: 1, threshold: 1 }),
        metrics.precision({ thresholds: [0, 1], classId: 1 }),
      ],
    });
    for (const part of [
      '"initial_learning_rate":1.0,"decay_steps":10,"decay_rate":1.0,',
      '"momentum":0.0,',
      '"clipnorm":1.0,',
      '"delta":2.0',
      '"beta":1.0',
      '"threshold":1.0',
      '"thresholds":[0.0,1.0]',
      '"class_id":1',
    ]) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    const rate = await savedText([layers.dense({ units: 2 })], {
      optimizer: optimizers.adam({ learningRate: 1, epsilon: 1e-30 }),
    });
    assert.match(rate, /"learning_rate":1\.0,.*"epsilon":1e-30,/);
  });

  test('those of a user-defined class stay as they are, whatever its name', async () => {
    class Dropout extends mf.Layer {
      constructor({ rate = 1, ...config } = {}) {
        super(config);
        this.rate = rate;
      }
      call(x) {
        return ops.multiply(x, this.rate);
      }
      getConfig() {
        return { ...super.getConfig(), rate: this.rate };
      }
    }
    mf.registerLayer(Dropout, { package: 'Mine', name: 'Dropout' });
    const name = 'non-finite:NaN';
    const text = await savedText([new Dropout({ rate: 2, name })]);
    assert.match(text, /"rate":2[,}]/);
    assert.match(text, /"name":"non-finite:NaN"/);
  });
});

describe('operations are called as in Python', () => {
  const entriesOf = async (build) => {
    const x = mf.Input({ batchShape: [2, 3, 4] });
    const model = new mf.Model({ inputs: x, outputs: build(x) });
    const bytes = await model.save();
    const { layers: entries } = JSON.parse(textIn(bytes)).config;
    const data = mf.tensor(
      Float32Array.from({ length: 24 }, (_, i) => i % 5),
      { shape: [2, 3, 4] },
    );
    const copy = await mf.loadModel(bytes);
    assert.deepEqual(copy.predict(data).array(), model.predict(data).array());
    return entries.slice(1);
  };

  test('Einsum has its operands as separate arguments', async () => {
    const [{ inbound_nodes: calls }] = await entriesOf((x) => ops.einsum([x, x], 'btf,bsf->bts'));
    assert.equal(calls[0].args.length, 2);
  });

  test('call arguments of Keras are not written as settings', async () => {
    const [full] = await entriesOf((x) => ops.fullLike(x, 2));
    assert.deepEqual(
      [full.config.fill_value, full.inbound_nodes[0].kwargs],
      [undefined, { fill_value: 2 }],
    );
    const [pad] = await entriesOf((x) =>
      ops.pad(
        x,
        [
          [0, 0],
          [1, 0],
          [0, 0],
        ],
        { constantValues: 1 },
      ),
    );
    assert.deepEqual(pad.inbound_nodes[0].kwargs, { constant_values: 1 });
    const [slice] = await entriesOf((x) => ops.slice(x, [0, 1, 1], [2, 2, 2]));
    assert.deepEqual(slice.inbound_nodes[0].kwargs, { start_indices: [0, 1, 1] });
    assert.deepEqual(slice.config.shape, [2, 2, 2]);
  });

  test('CountNonzero keeps axes with an ExpandDims after it', async () => {
    for (const axis of [[1], [-1, 1], null]) {
      const [count, expand] = await entriesOf((x) => ops.countNonzero(x, { axis, keepdims: true }));
      assert.deepEqual([count.class_name, 'keepdims' in count.config], ['CountNonzero', false]);
      assert.equal(expand.class_name, 'ExpandDims');
      assert.equal(expand.inbound_nodes[0].args[0].config.keras_history[0], count.name);
    }
  });

  test('defaults of operations are written', async () => {
    const [join] = await entriesOf((x) => ops.concatenate([x, x]));
    assert.equal(join.config.axis, 0);
    const [gelu] = await entriesOf((x) => ops.gelu(x));
    assert.equal(gelu.config.approximate, false);
  });

  test('slices, and functions that Keras has only as layers, are written', async () => {
    const [item] = await entriesOf((x) => ops.getItem(x, ['...', { start: 1 }]));
    assert.deepEqual(item.inbound_nodes[0].args[1], [
      { class_name: '__ellipsis__', config: {} },
      { class_name: '__slice__', config: { start: 1, stop: null, step: null } },
    ]);
    const [mish] = await entriesOf((x) => ops.mish(x));
    assert.deepEqual([mish.class_name, mish.config.activation], ['Activation', 'mish']);
    const [relu] = await entriesOf((x) => ops.relu(x, { maxValue: 2 }));
    assert.deepEqual([relu.class_name, relu.config.max_value], ['ReLU', 2]);
  });
});

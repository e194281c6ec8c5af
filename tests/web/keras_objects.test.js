// SPDX-License-Identifier: MIT
// `initializers` and `regularizers` create the configurations that Keras writes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import * as mf from '../../dist/index.js';
import { close } from '../support/watch.js';

await mf.ready({ seed: 1 });
const { initializers, Input, layers, ops, regularizers, Sequential } = mf;

/** Returns the kernel [rows, columns] that an initializer creates. */
function kernelOf(kernelInitializer, rows = 40, columns = 50) {
  const layer = layers.dense({ units: columns, useBias: false, kernelInitializer });
  layer.build([null, rows]);
  const [kernel] = layer.getWeights();
  return [...kernel.data()];
}
const variance = (values) => values.reduce((sum, x) => sum + x * x, 0) / values.length;

describe('initializers', () => {
  test('has a function for each class, whose name the core knows', () => {
    for (const [name, make] of Object.entries(initializers)) {
      const { class_name, config } = make();
      assert.equal(class_name.toLowerCase(), name.toLowerCase());
      assert.deepEqual(config, {});
      const layer = layers.dense({ units: 2, kernelInitializer: make() });
      assert.equal(layer.getConfig().kernel_initializer.class_name, class_name);
      assert.equal(kernelOf(make(), 2, 2).length, 4);
    }
  });

  test('passes the settings on', () => {
    assert.deepEqual(kernelOf(initializers.constant({ value: 3 }), 1, 2), [3, 3]);
    assert.deepEqual(kernelOf(initializers.identity({ gain: 2 }), 2, 2), [2, 0, 0, 2]);
    const uniform = kernelOf(initializers.randomUniform({ minval: 4, maxval: 5 }));
    assert.ok(uniform.every((x) => x >= 4 && x <= 5));
    close([variance(kernelOf(initializers.randomNormal({ stddev: 2 })))], [4], 0.6);
    close([variance(kernelOf(initializers.heNormal({ seed: 1 })))], [2 / 40], 0.01);
    const fanOut = initializers.varianceScaling({ scale: 5, mode: 'fan_out', seed: 2 });
    close([variance(kernelOf(fanOut))], [5 / 50], 0.02);
    const { config } = initializers.glorotUniform({ seed: 7 });
    assert.deepEqual(config, { seed: 7 });
  });

  test('refuses unknown settings', () => {
    assert.throws(() => initializers.heNormal({ sed: 1 }), /'sed' \(did you mean 'seed'\?\)/);
    assert.throws(() => initializers.zeros({ seed: 1 }), mf.ConfigError);
    assert.throws(() => initializers.constant({ valu: 2 }), mf.ConfigError);
  });
});

describe('regularizers', () => {
  /** Returns the penalty of a kernel [[1, 2], [3, 4]]. */
  function penalty(kernelRegularizer) {
    const dense = layers.dense({ units: 2, useBias: false, kernelRegularizer });
    const model = new Sequential([Input({ shape: [2] }), dense]);
    model.setWeights([
      [
        [1, 2],
        [3, 4],
      ],
    ]);
    return model.evaluate([[0, 0]], [[0, 0]], { loss: 'mse' }).loss;
  }

  test('adds the penalties of Keras', () => {
    const orthogonal = (2 * 0.5 * 11) / Math.sqrt(5 * 25);
    const cases = [
      [regularizers.l1(), 0.1],
      [regularizers.l1(0.5), 5],
      [regularizers.l2(0.1), 3],
      [regularizers.l1L2({ l1: 0.5, l2: 0.1 }), 8],
      [regularizers.l1L2(), 0],
      [regularizers.orthogonal({ factor: 1 }), orthogonal],
    ];
    for (const [regularizer, expected] of cases) {
      close([penalty(regularizer)], [expected], 1e-5, JSON.stringify(regularizer));
    }
  });

  test('each name of RegularizerLike is known', () => {
    for (const [name, same] of Object.entries({
      l1: regularizers.l1(),
      L2: regularizers.l2(),
      l1_l2: regularizers.l1L2(),
      l1L2: regularizers.l1L2(),
      orthogonalRegularizer: regularizers.orthogonal(),
      orthogonal_regularizer: regularizers.orthogonal(),
    })) {
      close([penalty(name)], [penalty(same)], 1e-6, name);
    }
  });

  test('refuses values that are not finite numbers', () => {
    for (const value of ['x', Number.NaN, null]) {
      assert.throws(() => regularizers.l2(value), mf.ValueError);
      assert.throws(() => regularizers.l2({ l2: value }), mf.ValueError);
    }
    assert.throws(() => regularizers.l1L2({ l3: 1 }), mf.ConfigError);
    assert.throws(() => regularizers.l2({ l1: 1 }), mf.ConfigError);
  });
});

test("einsum accepts Keras's order of arguments", () => {
  const a = mf.tensor([
    [1, 2],
    [3, 4],
  ]);
  const expected = ops.einsum([a, [[1], [2]]], 'ab,bc->ac').array();
  assert.deepEqual(expected, [[5], [11]]);
  assert.deepEqual(ops.einsum('ab,bc->ac', a, [[1], [2]]).array(), expected);
  const symbol = ops.einsum('ba,ac->bc', Input({ shape: [2] }), a);
  assert.deepEqual(symbol.shape, [null, 2]);
  for (const wrong of [
    () => ops.einsum('ab,bc->ac', a),
    () => ops.einsum('ab'),
    () => ops.einsum(),
  ]) {
    assert.throws(wrong, mf.MaskflowError);
  }
});

test('layers has the names of rectifiers in camelCase, too', () => {
  assert.equal(layers.relu, layers.reLU);
  assert.equal(layers.prelu, layers.pReLU);
  assert.equal(layers.leakyRelu, layers.leakyReLU);
});

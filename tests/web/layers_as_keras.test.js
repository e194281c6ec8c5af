// SPDX-License-Identifier: MIT
// Layers and ops accept, refuse and compute as Keras 3.15.1 does, in cases without a recorded
// family.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as mf from '../../dist/index.js';

const { layers, Model, ops, Sequential, tensor } = mf;
await mf.ready();

function near(actual, expected) {
  assert.equal(actual.length, expected.length);
  for (const [i, value] of expected.entries()) {
    const off = Math.abs(actual[i] - value);
    assert.ok(off <= 1e-6 + 1e-5 * Math.abs(value), `[${i}] is ${actual[i]}, not ${value}`);
  }
}

const tensorOf = (shape, seed = 1) => {
  const size = shape.reduce((a, b) => a * b, 1);
  return tensor(
    Float32Array.from({ length: size }, (_, i) => Math.sin(seed * (i + 1) * 1.7)),
    { shape },
  );
};
const values = (t) => [...t.data()];
const close = (a, b) => near(values(a), values(b));

test('a mask of Softmax broadcasts from the last axes', () => {
  const x = tensor([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  const y = layers.softmax().apply(x, { mask: tensor([1, 0, 1], { dtype: 'bool' }) });
  const low = 1 / (1 + Math.exp(2));
  near(values(y), [low, 0, 1 - low, low, 0, 1 - low]);
  // Masked entries are replaced, so their values do not matter.
  const withNaN = tensor([[1, Number.NaN, 3]]);
  near(values(layers.softmax().apply(withNaN, { mask: [[true, false, true]] })), [low, 0, 1 - low]);
  assert.throws(
    () => layers.softmax().apply(tensor([[[1, 2]], [[3, 4]]]), { mask: [[true], [false]] }),
    mf.ShapeError,
  );
});

test('softmax works along several axes', () => {
  const x = tensorOf([2, 3, 4]);
  const flat = ops.softmax(ops.reshape(x, [2, 12]), { axis: -1 });
  close(ops.softmax(x, { axis: [1, 2] }), ops.reshape(flat, [2, 3, 4]));
  close(layers.softmax({ axis: [1, 2] }).apply(x), ops.reshape(flat, [2, 3, 4]));
  const transposed = ops.transpose(x, { axes: [1, 0, 2] });
  const ofTransposed = ops.softmax(ops.reshape(transposed, [3, 8]), { axis: -1 });
  const expected = ops.transpose(ops.reshape(ofTransposed, [3, 2, 4]), { axes: [1, 0, 2] });
  close(ops.softmax(x, { axis: [0, -1] }), expected);
});

for (const [name, options] of [
  ['attention', { useScale: true }],
  ['attention', { scoreMode: 'concat' }],
  ['additiveAttention', { useScale: false }],
]) {
  test(`${name} with more axes equals the results of its parts`, () => {
    const layer = layers[name](options);
    const [q, v] = [tensorOf([2, 3, 4, 5]), tensorOf([2, 3, 6, 5], 2)];
    const part = (t, i) =>
      ops
        .reshape(t, [6, t.shape[2], 5])
        .data()
        .subarray(i * t.shape[2] * 5);
    for (const useCausalMask of [false, true]) {
      const [y, scores] = layer.apply([q, v], { useCausalMask, returnAttentionScores: true });
      assert.deepEqual(
        [y.shape, scores.shape],
        [
          [2, 3, 4, 5],
          [2, 3, 4, 6],
        ],
      );
      for (let i = 0; i < 6; i++) {
        const single = (t, steps) =>
          tensor(part(t, i).slice(0, steps * 5), { shape: [1, steps, 5] });
        const [expected] = layer.apply([single(q, 4), single(v, 6)], {
          useCausalMask,
          returnAttentionScores: true,
        });
        near(values(y).slice(i * 20, i * 20 + 20), values(expected));
      }
    }
    // The values may have a batch axis of 1, or no batch axis.
    const sharedValues = tensor(part(v, 0).slice(0, 30), { shape: [1, 1, 6, 5] });
    assert.deepEqual(layer.apply([q, sharedValues]).shape, [2, 3, 4, 5]);
    assert.deepEqual(layer.apply([tensorOf([4, 5]), tensorOf([6, 5])]).shape, [4, 5]);
    assert.throws(() => layer.apply([q, tensorOf([2, 2, 6, 5])]), mf.ShapeError);
  });
}

test('masks of attention over more axes hide keys', () => {
  const [q, v] = [tensorOf([2, 1, 2, 3]), tensorOf([2, 1, 4, 3], 2)];
  const mask = [[[true, true, false, true]], [[true, false, false, true]]];
  const y = layers.attention().apply([q, v], { mask: [null, mask], useCausalMask: true });
  const flat = layers.attention().apply([ops.reshape(q, [2, 2, 3]), ops.reshape(v, [2, 4, 3])], {
    mask: [null, mask.flat()],
    useCausalMask: true,
  });
  near(values(y), values(flat));
});

test('MultiHeadAttention broadcasts the keys of one sequence to all queries', () => {
  const layer = layers.multiHeadAttention({ numHeads: 2, keyDim: 3 });
  const [query, sharedValue] = [tensorOf([3, 2, 4]), tensorOf([1, 5, 4], 2)];
  const y = layer.apply({ query, value: sharedValue });
  close(y, layer.apply({ query, value: ops.tile(sharedValue, [3, 1, 1]) }));
});

test('TimeDistributed accepts a mask with more axes than batch and time', () => {
  const x = tensorOf([2, 3, 4]);
  const dense = layers.timeDistributed({ layer: layers.dense({ units: 2 }) });
  const mask = ops.greater(tensorOf([2, 3, 2]), 0);
  assert.deepEqual(dense.apply(x, { mask }).shape, [2, 3, 2]);
  const wrongMask = ops.greater(tensorOf([2, 2, 2]), 0);
  assert.throws(() => dense.apply(x, { mask: wrongMask }), mf.ShapeError);
});

test('CategoryEncoding encodes a single id', () => {
  const encode = (outputMode) => layers.categoryEncoding({ numTokens: 3, outputMode });
  const id = tensor(2, { dtype: 'int32' });
  for (const mode of ['multi_hot', 'count']) {
    const y = encode(mode).apply(id);
    assert.deepEqual([y.shape, values(y)], [[3], [0, 0, 1]]);
  }
  assert.deepEqual(encode('one_hot').apply(id).shape, [1, 3]);
});

test('CategoryEncoding computes the shape of its result', () => {
  const shapes = {
    one_hot: [
      [
        [2, 3],
        [2, 3, 5],
      ],
      [
        [2, 1],
        [2, 5],
      ],
      [[3], [3, 5]],
      [
        [2, 1, 1],
        [2, 1, 5],
      ],
    ],
    multi_hot: [
      [
        [2, 3],
        [2, 5],
      ],
      [
        [2, 1],
        [2, 5],
      ],
      [[3], [5]],
      [
        [2, 3, 4],
        [2, 4, 5],
      ],
    ],
    count: [
      [
        [2, 3],
        [2, 5],
      ],
      [
        [2, 1],
        [2, 5],
      ],
      [[3], [5]],
      [
        [2, 1, 1],
        [2, 1, 5],
      ],
    ],
  };
  for (const [outputMode, pairs] of Object.entries(shapes)) {
    const layer = layers.categoryEncoding({ numTokens: 5, outputMode });
    for (const [shape, expected] of pairs) {
      assert.deepEqual(layer.computeOutputShape(shape), expected, `${outputMode} ${shape}`);
      const ids = ops.zeros(shape, { dtype: 'int32' });
      assert.deepEqual(layer.apply(ids).shape, expected, `${outputMode} ${shape}`);
    }
  }
  const encoding = layers.categoryEncoding({ numTokens: 5, outputMode: 'one_hot' });
  assert.deepEqual(encoding.computeOutputShape([null, 3]), [null, 3, 5]);
});

test('ops.pad extends values as NumPy does', () => {
  const x = tensor([1, 2, 3]);
  const pad = (mode, padWidth = [3, 4]) => values(ops.pad(x, padWidth, { mode }));
  assert.deepEqual(pad('edge'), [1, 1, 1, 1, 2, 3, 3, 3, 3, 3]);
  assert.deepEqual(pad('reflect'), [2, 3, 2, 1, 2, 3, 2, 1, 2, 3]);
  assert.deepEqual(pad('symmetric'), [3, 2, 1, 1, 2, 3, 3, 2, 1, 1]);
  assert.deepEqual(pad('wrap'), [1, 2, 3, 1, 2, 3, 1, 2, 3, 1]);
  assert.deepEqual(pad('constant', [1, 0]), [0, 1, 2, 3]);
  assert.deepEqual(values(ops.pad(x, 1, { constantValues: null })), [0, 1, 2, 3, 0]);
  assert.deepEqual(ops.pad(tensorOf([2, 3]), [[1, 2]]).shape, [5, 6]);
  assert.deepEqual(ops.pad(tensorOf([2, 3]), [[1], [2]]).shape, [4, 7]);
  assert.throws(() => ops.pad(x, 1, { mode: 'mean' }), mf.UnsupportedError);
  assert.throws(() => ops.pad(x, 1, { mode: 'edge', constantValues: 1 }), mf.ValueError);
  assert.throws(() => ops.pad(tensorOf([0]), 1, { mode: 'wrap' }), mf.ShapeError);
});

for (const [name, config] of [
  ['dropout', { rate: 0.5, noiseShape: [2, 0, 1] }],
  ['dropout', { rate: 0.5, noiseShape: [2, -1, 1] }],
  ['dropout', { rate: 0.5, noiseShape: [2, 1.5, 1] }],
  ['dropout', { rate: 0.5, noiseShape: 'all' }],
  ['dropout', { rate: 0.5, noiseShape: 2 }],
  ['cropping1D', { cropping: [1] }],
  ['zeroPadding1D', { padding: [1] }],
  ['zeroPadding1D', { dataFormat: 'channels' }],
  ['batchNormalization', { renorm: true, renormClipping: { rmax: 0, rmin: 1 } }],
  ['batchNormalization', { renorm: true, renormClipping: { dmax: -1 } }],
  ['discretization', { binBoundaries: [0.5], numBins: 2 }],
  ['discretization', {}],
  ['normalization', { mean: [1, 2], variance: 2 }],
  ['adaptiveMaxPooling1D', { outputSize: [1, 2] }],
  ['maxPooling1D', { poolSize: [1, 2] }],
  ['maxPooling1D', { strides: [] }],
  ['maxPooling1D', { dataFormat: 'channels' }],
  ['flatten', { dataFormat: 'channels' }],
  ['reshape', { targetShape: 2 }],
  ['permute', { dims: 1 }],
  ['activityRegularization', { l1: -1 }],
  ['multiHeadAttention', { numHeads: 2, keyDim: 2, dropout: 0.1, flashAttention: true }],
]) {
  test(`${name} refuses ${JSON.stringify(config)}`, () => {
    assert.throws(() => layers[name](config), mf.ConfigError);
  });
}

test('settings that Keras accepts are accepted', () => {
  layers.batchNormalization({ renormClipping: { rmax: 0, rmin: 1 } });
  const spatial = { class_name: 'SpatialDropout1D', config: { rate: 0.5, noise_shape: null } };
  mf.deserializeLayer(spatial);
  const noise = {
    class_name: 'GaussianDropout',
    config: { rate: 0.5, activity_regularizer: 'l2' },
  };
  assert.equal(mf.deserializeLayer(noise).getConfig().activity_regularizer, 'l2');
  layers.dropout({ rate: 0.5, noiseShape: [null, 1, 3] });
});

test('inputs must fit a built layer, symbolic ones too', () => {
  const symbol = (...shape) => mf.Input({ shape });
  const dense = layers.dense({ units: 2 });
  dense.build([null, 3]);
  assert.throws(() => dense.apply(symbol(4)), mf.ShapeError);
  const conv = layers.conv1D({ filters: 2, kernelSize: 1 });
  conv.build([null, null, 3]);
  assert.throws(() => conv.apply(symbol(null, 4)), mf.ShapeError);
  assert.throws(() => layers.globalMaxPooling1D().apply(symbol(2, 3, 4)), mf.ShapeError);
  assert.throws(() => layers.maxPooling1D({ poolSize: 3 }).apply(symbol(2, 4)), mf.ShapeError);
  const inputs = [
    symbol(3, null),
    mf.Input({ batchShape: [2, 3, 4] }),
    mf.Input({ batchShape: [3, 3, 4] }),
  ];
  assert.throws(() => layers.concatenate().apply(inputs), mf.ShapeError);
  assert.throws(() => layers.maximum().apply(inputs.map((x) => x)), mf.ShapeError);
  assert.throws(
    () => layers.einsumDense({ equation: 'abc,cd->abd', outputShape: [4] }).apply(symbol(4, 3)),
    mf.ConfigError,
  );
  // TimeDistributed calls its inner layer without the checks of a call.
  const inside = layers.timeDistributed({ layer: layers.dense({ units: 2 }) });
  inside.build([null, null, 3]);
  assert.throws(() => inside.apply(tensorOf([1, 2, 5])), mf.ShapeError);
});

test('activations of convolutions with channels first apply to the last axis, time', () => {
  const layer = layers.conv1D({
    filters: 2,
    kernelSize: 1,
    dataFormat: 'channels_first',
    activation: 'softmax',
  });
  const y = layer.apply(tensorOf([1, 2, 4]));
  for (const row of y.array()[0]) near([row.reduce((a, b) => a + b)], [1]);
});

test('a convolution without channels returns an empty tensor', () => {
  const layer = layers.depthwiseConv1D({ kernelSize: 1, activation: 'relu' });
  assert.deepEqual(layer.apply(ops.zeros([1, 3, 0])).shape, [1, 3, 0]);
});

test('a Sequential without layers refuses to compute', () => {
  for (const model of [new Sequential([]), new Sequential([mf.Input({ shape: [3] })])]) {
    assert.throws(() => model.predict(tensorOf([2, 3])), mf.StateError);
    assert.throws(() => model.apply(tensorOf([2, 3])), mf.StateError);
  }
});

test('accepts a list for a dictionary of inputs if its keys are sorted, whatever their names', () => {
  const [a, b] = ['a', 'b'].map((name) => mf.Input({ shape: [2], name }));
  const out = layers.subtract().apply([a, b]);
  const [x, y] = [tensor([[3, 4]]), tensor([[1, 1]])];
  const named = new Model({ inputs: { a, b }, outputs: out });
  assert.deepEqual(values(named.predict([x, y])), [2, 3]);
  const sorted = new Model({ inputs: { y: a, z: b }, outputs: out });
  assert.deepEqual(values(sorted.predict([x, y])), [2, 3]);
  const unsorted = new Model({ inputs: { z: a, y: b }, outputs: out });
  assert.deepEqual(values(unsorted.predict({ z: x, y })), [2, 3]);
  assert.throws(() => unsorted.predict([x, y]), mf.ValueError);
});

test('Bidirectional sets the direction of its layers itself, as Keras 3.15.1 does', () => {
  const lstm = (goBackwards) => layers.lstm({ units: 2, goBackwards });
  for (const options of [
    { layer: lstm(true) },
    { layer: lstm(true), backwardLayer: lstm(true) },
    { layer: lstm(false), backwardLayer: lstm(false) },
  ])
    assert.throws(() => layers.bidirectional(options), {
      name: 'ConfigError',
      message: /both have go_backwards = (true|false); leave it out of layer, or pass/,
    });
  const pair = layers.bidirectional({ layer: lstm(true), backwardLayer: lstm(false) });
  assert.deepEqual(pair.apply(tensorOf([1, 3, 2])).shape, [1, 4]);
});

test('layers print their class, name and state', () => {
  const layer = layers.dense({ units: 1, name: 'score' });
  assert.equal(inspect(layer), '<Dense name=score, built=false>');
  layer.apply([[1, 2]]);
  assert.equal(`${layer}`, '<Dense name=score, built=true>');
  class Twice extends mf.Layer {}
  assert.equal(inspect(new Twice({ name: 'twice' })), '<Twice name=twice, built=false>');
  layer.dispose();
  assert.equal(inspect([layer]), '[ <Layer, disposed> ]');
});

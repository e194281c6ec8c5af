// SPDX-License-Identifier: MIT
// Settings that determine memory or loops: any number leads to a typed error or a result within
// seconds.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as mf from '../../dist/train.js';
import * as text from '../../dist/text.js';
import { cpuTime } from '../support/cpu_time.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const { layers, ops } = mf;
const numbers = [
  1e6,
  1e8,
  1e9,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 + 1,
  1e12,
  2 ** 53,
  1e300,
  -1,
  0.5,
  Infinity,
];
const x = () => mf.tensor([[1, 2, 3]]);

const settings = {
  'TextVectorization outputSequenceLength': (n) =>
    new text.TextVectorization({ vocabulary: ['a'], outputSequenceLength: n }).apply(['a b']),
  'TextVectorization maxTokens': (n) =>
    new text.TextVectorization({
      vocabulary: ['a'],
      maxTokens: n,
      outputMode: 'multi_hot',
      padToMaxTokens: true,
    }).apply(['a']),
  'TextVectorization ngrams': (n) =>
    new text.TextVectorization({ vocabulary: ['a'], ngrams: n }).apply(['a '.repeat(10_000)]),
  'TextVectorization ngrams list': (n) =>
    new text.TextVectorization({ vocabulary: ['a'], ngrams: [n] }).apply(['a b']),
  'StringLookup numOovIndices': (n) =>
    new text.StringLookup({ vocabulary: ['a'], numOovIndices: n }).apply(['b']),
  'StringLookup numOovIndices, one-hot': (n) =>
    new text.StringLookup({ vocabulary: ['a'], numOovIndices: n, outputMode: 'one_hot' }).apply([
      'b',
    ]),
  'StringLookup numOovIndices, vocabulary': (n) =>
    new text.StringLookup({ vocabulary: ['a'], numOovIndices: n }).getVocabulary(),
  'StringLookup numOovIndices, a wrong vocabulary': (n) =>
    new text.StringLookup({ vocabulary: ['a', 'a'], numOovIndices: n }),
  'StringLookup numOovIndices, adapt': (n) => {
    const lookup = new text.StringLookup({ numOovIndices: n, outputMode: 'tf_idf' });
    lookup.adapt([['a']]);
    lookup.apply([['b']]);
  },
  'IntegerLookup numOovIndices': (n) =>
    new text.IntegerLookup({ vocabulary: [1], numOovIndices: n }).apply([2]),
  'IntegerLookup maxTokens': (n) =>
    new text.IntegerLookup({
      vocabulary: [1],
      maxTokens: n,
      outputMode: 'multi_hot',
      padToMaxTokens: true,
    }).apply([[1]]),
  'Hashing numBins': (n) => new text.Hashing({ numBins: n }).apply(['a']),
  'Hashing numBins, one-hot': (n) =>
    new text.Hashing({ numBins: n, outputMode: 'one_hot' }).apply(['a']),
  'Hashing salt': (n) => new text.Hashing({ numBins: 3, salt: n }).apply(['a']),
  'Hashing of a number': (n) => new text.Hashing({ numBins: 3 }).apply([n]),
  'HashedCrossing numBins': (n) => new text.HashedCrossing({ numBins: n }).apply([['a'], ['b']]),
  'HashedCrossing of a number': (n) => new text.HashedCrossing({ numBins: 3 }).apply([[n], ['b']]),
  'Discretization numBins': (n) => {
    const layer = layers.discretization({ numBins: n });
    layer.adapt([1, 2, 3]);
    layer.apply([1]);
  },
  'Discretization one-hot': (n) =>
    layers.discretization({ binBoundaries: [n], outputMode: 'one_hot' }).apply([[1]]),
  'CategoryEncoding numTokens': (n) =>
    layers.categoryEncoding({ numTokens: n, outputMode: 'multi_hot' }).apply([[1]]),
  'padSequences maxlen': (n) => mf.padSequences([[1]], { maxlen: n }),
  'padSequences maxlen, strings': (n) =>
    mf.padSequences([['a']], { maxlen: n, dtype: 'object', value: '' }),
  'Embedding inputDim': (n) => layers.embedding({ inputDim: n, outputDim: 1 }).apply([[0]]),
  'Embedding outputDim': (n) => layers.embedding({ inputDim: 1, outputDim: n }).apply([[0]]),
  'Dense units': (n) => layers.dense({ units: n }).apply(x()),
  'LSTM units': (n) => layers.lstm({ units: n }).apply([[[1]]]),
  'RepeatVector n': (n) => layers.repeatVector({ n }).apply(x()),
  'ZeroPadding1D padding': (n) => layers.zeroPadding1D({ padding: n }).apply([[[1]]]),
  'UpSampling1D size': (n) => layers.upSampling1D({ size: n }).apply([[[1]]]),
  'Conv1D kernelSize': (n) => layers.conv1D({ filters: 1, kernelSize: n }).apply([[[1]]]),
  'Conv1D kernelSize, same': (n) =>
    layers.conv1D({ filters: 1, kernelSize: n, padding: 'same' }).apply([[[1]]]),
  'Conv1D dilationRate': (n) =>
    layers.conv1D({ filters: 1, kernelSize: 2, dilationRate: n, padding: 'causal' }).apply([[[1]]]),
  'Conv1D filters': (n) => layers.conv1D({ filters: n, kernelSize: 1 }).apply([[[1]]]),
  'Conv1D strides': (n) => layers.conv1D({ filters: 1, kernelSize: 1, strides: n }).apply([[[1]]]),
  'MaxPooling1D poolSize': (n) =>
    layers.maxPooling1D({ poolSize: n, padding: 'same' }).apply([[[1]]]),
  'AveragePooling1D poolSize': (n) =>
    layers.averagePooling1D({ poolSize: n, padding: 'same' }).apply([[[1]]]),
  'MultiHeadAttention numHeads': (n) =>
    layers.multiHeadAttention({ numHeads: n, keyDim: 1 }).apply([[[1]], [[1]]]),
  'MultiHeadAttention keyDim': (n) =>
    layers.multiHeadAttention({ numHeads: 1, keyDim: n }).apply([[[1]], [[1]]]),
  'EinsumDense outputShape': (n) =>
    layers.einsumDense({ equation: 'ab,bc->ac', outputShape: n }).apply(x()),
  'Reshape targetShape': (n) => layers.reshape({ targetShape: [n, -1] }).apply(x()),
  'GroupNormalization groups': (n) => layers.groupNormalization({ groups: n }).apply(x()),
  'ops.oneHot': (n) => ops.oneHot([1], { numClasses: n }),
  'ops.arange': (n) => ops.arange(n),
  'ops.repeat': (n) => ops.repeat(x(), { repeats: n }),
  'ops.tile': (n) => ops.tile(x(), { repeats: [n] }),
  'ops.pad': (n) =>
    ops.pad(x(), {
      padWidth: [
        [0, n],
        [0, 0],
      ],
    }),
  'ops.linspace': (n) => ops.linspace(0, 1, { num: n }),
  'ops.eye': (n) => ops.eye(n),
  'ops.zeros': (n) => ops.zeros([n]),
  'a tensor of that shape': (n) => mf.tensor(new Float32Array(1), { shape: [n] }),
  'AUC numThresholds': (n) => mf.metrics.auc({ numThresholds: n }).update([0, 1], [0, 1]),
  'MeanIoU numClasses': (n) => mf.metrics.meanIoU({ numClasses: n }).update([0, 1], [0, 1]),
  'Input batchSize': (n) =>
    layers.dense({ units: 1 }).apply(mf.Input({ shape: [2], batchSize: n })),
  'Input shape': (n) => layers.dense({ units: 1 }).apply(mf.Input({ shape: [n] })),
  'predict batchSize': (n) => {
    const model = new mf.Sequential([mf.Input({ shape: [3] }), layers.dense({ units: 1 })]);
    model.predict(x(), { batchSize: n });
  },
  'profile repeats': (n) => {
    if (n === 1e6) return;
    const model = new mf.Sequential([mf.Input({ shape: [3] }), layers.dense({ units: 1 })]);
    model.profile(x(), { repeats: n }).catch(() => {});
  },
};

test('limits.milliseconds holds for configurations of many keys, as text and as an object', async () => {
  const keys = Object.fromEntries(Array.from({ length: 19_000 }, (_, i) => [`key_${i}`, i]));
  const layer = (i) => ({ class_name: 'LSTM', config: { units: 1, name: `l${i}`, ...keys } });
  const config = { name: 's', layers: Array.from({ length: 45 }, (_, i) => layer(i)) };
  const model = { module: 'keras', class_name: 'Sequential', config };
  for (const source of [model, JSON.stringify(model)]) {
    const start = cpuTime();
    const options = { weights: null, limits: { milliseconds: 50, nodes: 10_000_000 } };
    await assert.rejects(mf.loadModel(source, options), /limits.milliseconds allows/);
    assert.ok(cpuTime() - start < 2000, `${cpuTime() - start} ms`);
  }
});

describe('an extreme number', () => {
  for (const [name, use] of Object.entries(settings)) {
    test(`${name}: leads to a typed error or a result`, () => {
      for (const n of numbers) {
        const start = cpuTime();
        try {
          mf.tidy(() => void use(n));
        } catch (error) {
          assert.ok(error instanceof mf.MaskflowError, `${n}: ${error.stack}`);
        }
        const time = cpuTime() - start;
        assert.ok(time < 8000, `${n}: ${time} ms`);
      }
    });
  }
});

// SPDX-License-Identifier: MIT
// Weights files loaded into an existing model: how weights are matched, and the errors if they do
// not fit.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as mf from '../../../dist/index.js';
import { fixture } from '../../support/archives.js';
import { writeWithLibhdf5 } from '../../support/hdf5.js';
import { cpuTime } from '../../support/cpu_time.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const { Input, layers, Model, ops, Sequential } = mf;
const size = (shape) => shape.reduce((a, b) => a * b, 1);
const numbers = (shape, start) =>
  Float32Array.from({ length: size(shape) }, (_, i) => start + i / 64);

/** Writes a weights file: { 'layers/dense': { name?, arrays: [[shape, first number], …] } }. */
function weightsFile(groups, extra = () => {}) {
  return writeWithLibhdf5(
    (file) => {
      const at = (path) =>
        path
          .split('/')
          .reduce((group, part) => group.get(part) ?? group.create_group(part), file.get('/'));
      for (const [path, { name, arrays }] of Object.entries(groups)) {
        const vars = at(path ? `${path}/vars` : 'vars');
        if (name) vars.create_attribute('name', name);
        arrays.forEach(([shape, start], i) => {
          vars.create_dataset({ name: String(i), data: numbers(shape, start), shape });
        });
      }
      extra(file, at);
    },
    { libver: ['earliest', 'v110'] },
  );
}

const twoDense = () =>
  new Sequential([
    Input({ shape: [2] }),
    layers.dense({ units: 2, name: 'first' }),
    layers.dense({ units: 2, name: 'second' }),
  ]);
const dense = (start) => ({
  arrays: [
    [[2, 2], start],
    [[2], start + 10],
  ],
});
const firstNumbers = (model) => model.getWeights().map((weight) => weight.data()[0]);

describe('weights are matched', () => {
  test('by class and running number, as Keras names them', async () => {
    const model = twoDense();
    await model.loadWeights(weightsFile({ 'layers/dense': dense(1), 'layers/dense_1': dense(2) }));
    assert.deepEqual(firstNumbers(model), [1, 11, 2, 12]);
  });

  test('by number, not alphabetically: dense_10 comes after dense_9', async () => {
    const model = new Sequential([
      Input({ shape: [1] }),
      ...Array.from({ length: 12 }, () => layers.dense({ units: 1, useBias: false })),
    ]);
    const groups = Array.from({ length: 12 }, (_, i) => [
      `layers/dense${i ? `_${i}` : ''}`,
      { arrays: [[[1, 1], i]] },
    ]);
    await model.loadWeights(weightsFile(Object.fromEntries(groups)));
    assert.deepEqual(firstNumbers(model), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    // Names that carry no information give the same result.
    const renamed = groups.map(([path, group]) => [path.replace('dense', 'block'), group]);
    await model.loadWeights(weightsFile(Object.fromEntries(renamed.reverse())));
    assert.deepEqual(firstNumbers(model), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('by the names of layers, if the paths differ', async () => {
    const model = twoDense();
    await model.loadWeights(
      weightsFile({
        'layers/a': { name: 'second', ...dense(2) },
        'layers/b': { name: 'first', ...dense(1) },
      }),
    );
    assert.deepEqual(firstNumbers(model), [1, 11, 2, 12]);
  });

  test('by attribute, in all versions: query_dense and _query_dense', async () => {
    const build = () => {
      const x = Input({ shape: [3, 4] });
      return new Model({
        inputs: x,
        outputs: layers
          .multiHeadAttention({ numHeads: 2, keyDim: 3 })
          .apply({ query: x, value: x }),
      });
    };
    const groups = (prefix) =>
      Object.fromEntries(
        ['query', 'key', 'value', 'output'].map((name, i) => [
          `layers/multi_head_attention/${prefix}${name}_dense`,
          {
            arrays:
              name === 'output'
                ? [
                    [[2, 3, 4], i],
                    [[4], i + 10],
                  ]
                : [
                    [[4, 2, 3], i],
                    [[2, 3], i + 10],
                  ],
          },
        ]),
      );
    for (const prefix of ['', '_']) {
      const model = build();
      await model.loadWeights(weightsFile(groups(prefix)));
      assert.deepEqual(firstNumbers(model), [0, 10, 1, 11, 2, 12, 3, 13]);
    }
  });

  test('in inner models, wrappers and cells', async () => {
    const inner = new Sequential([Input({ shape: [2] }), layers.dense({ units: 3 })]);
    const x = Input({ shape: [4, 2] });
    const y = layers
      .bidirectional({ layer: layers.gru({ units: 1 }) })
      .apply(layers.timeDistributed({ layer: inner }).apply(x));
    const model = new Model({ inputs: x, outputs: y });
    const gru = (start) => ({
      arrays: [
        [[3, 3], start],
        [[1, 3], start + 1],
        [[2, 3], start + 2],
      ],
    });
    await model.loadWeights(
      weightsFile({
        'layers/time_distributed/layer/layers/dense': {
          arrays: [
            [[2, 3], 1],
            [[3], 2],
          ],
        },
        'layers/bidirectional/forward_layer/cell': gru(3),
        'layers/bidirectional/backward_layer/cell': gru(6),
      }),
    );
    assert.deepEqual(firstNumbers(model), [1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('in a custom model by its properties: camelCase becomes snake_case', async () => {
    class Mine extends Model {
      constructor() {
        super();
        this.firstBlock = layers.dense({ units: 2 });
        this.others = [layers.dense({ units: 2 }), layers.dense({ units: 2 })];
      }
      call(x) {
        return this.others.reduce((y, layer) => layer.apply(y), this.firstBlock.apply(x));
      }
    }
    const model = new Mine();
    await assert.rejects(model.loadWeights(weightsFile({ first_block: dense(1) })), {
      name: 'StateError',
      message: /has no weights yet: .*model\.build\(shape\)/,
    });
    model.predict([[1, 2]]);
    await model.loadWeights(
      weightsFile({ first_block: dense(1), 'others/dense': dense(2), 'others/dense_1': dense(3) }),
    );
    assert.deepEqual(firstNumbers(model), [1, 11, 2, 12, 3, 13]);
  });

  test('to the kernel that SpectralNormalization stores twice', async () => {
    const model = new Sequential([
      Input({ shape: [2] }),
      layers.spectralNormalization({ layer: layers.dense({ units: 3 }) }),
    ]);
    await model.loadWeights(
      weightsFile({
        'layers/spectral_normalization': {
          arrays: [
            [[2, 3], 1],
            [[1, 3], 5],
          ],
        },
        'layers/spectral_normalization/layer': {
          arrays: [
            [[2, 3], 1],
            [[3], 2],
          ],
        },
      }),
    );
    assert.deepEqual(
      Object.fromEntries(model.weights.map(({ name }, i) => [name, firstNumbers(model)[i]])),
      { kernel: 1, bias: 2, vector_u: 5 },
    );
  });

  test('to a frozen layer in its order; seeds and optimizer state in the file are ignored', async () => {
    const build = () =>
      new Sequential([Input({ shape: [2] }), layers.batchNormalization({ trainable: false })]);
    const model = build();
    await model.loadWeights(
      weightsFile({
        'layers/batch_normalization': {
          arrays: [
            [[2], 1],
            [[2], 2],
            [[2], 3],
            [[2], 4],
          ],
        },
        'layers/dropout/seed_generator': { arrays: [[[2], 9]] },
        optimizer: { arrays: [[[7], 9]] },
      }),
    );
    assert.deepEqual(firstNumbers(model), [1, 2, 3, 4]);
  });

  test('from the file of a complete model, whose architecture is ignored', async () => {
    const model = Model.fromConfig(
      (await mf.loadModel(fixture('seq_embed_gru_stack.keras'))).toJSON(),
    );
    const expected = await mf.loadModel(fixture('seq_embed_gru_stack.keras'));
    for (const name of ['seq_embed_gru_stack.keras', 'seq_embed_gru_stack.h5']) {
      model.setWeights(model.weights.map(({ shape }) => new Float32Array(size(shape))));
      await model.loadWeights(fixture(name));
      assert.deepEqual(
        model.getWeights().map((w) => [...w.data()]),
        expected.getWeights().map((w) => [...w.data()]),
      );
    }
  });

  test('in half and double precision, and as integers', async () => {
    for (const [dtype, Typed] of [
      ['<f8', Float64Array],
      ['<i', Int32Array],
      ['<q', BigInt64Array],
    ]) {
      const file = writeWithLibhdf5((hdf5) => {
        const vars = hdf5.create_group('layers').create_group('dense').create_group('vars');
        const value = Typed === BigInt64Array ? 3n : 3;
        vars.create_dataset({
          name: '0',
          data: Typed.from([value, value, value, value]),
          shape: [2, 2],
          dtype,
        });
        vars.create_dataset({ name: '1', data: Typed.from([value, value]), shape: [2], dtype });
      });
      const model = new Sequential([Input({ shape: [2] }), layers.dense({ units: 2 })]);
      await model.loadWeights(file);
      assert.deepEqual(firstNumbers(model), [3, 3]);
    }
  });
});

describe('weights that do not fit are refused', () => {
  const message = async (source, model = twoDense()) => {
    const original = firstNumbers(model);
    const error = await model.loadWeights(source).then(
      () => assert.fail('no error was thrown'),
      (error) => error,
    );
    assert.equal(error.name, 'FormatError', error.stack);
    assert.deepEqual(firstNumbers(model), original, 'no weight has changed');
    return error.message;
  };

  test('if one is missing and one is left over, both are listed', async () => {
    const text = await message(
      weightsFile({ 'layers/dense': dense(1), 'layers/conv1d': { arrays: [[[3, 2, 2], 0]] } }),
    );
    assert.match(text, /2 missing, 1 left over, 0 of another shape/);
    assert.match(
      text,
      /missing in the file:\n\s+second\/kernel \[2, 2\]|missing in the file:\n\s+\S*second\/kernel \[2, 2\]/,
    );
    assert.match(text, /not in the model:\n\s+layers\/conv1d\/vars\/0 \[3, 2, 2\]/);
    assert.match(text, /all weights of the model:(\n\s+\S+ \[[\d, ]+\]){4}/);
    assert.match(text, /all weights of the file:(\n\s+\S+ \[[\d, ]+\]){3}/);
  });

  test('if one has another shape, both shapes are listed', async () => {
    const wide = {
      arrays: [
        [[2, 5], 0],
        [[5], 0],
      ],
    };
    const text = await message(weightsFile({ 'layers/dense': dense(1), 'layers/dense_1': wide }));
    assert.match(text, /0 missing, 0 left over, 2 of another shape/);
    assert.match(
      text,
      /second\/kernel \[2, 2\] in the model, layers\/dense_1\/vars\/0 \[2, 5\] in the file/,
    );
  });

  test('an array that cannot be read changes nothing, either', async () => {
    const file = weightsFile({ 'layers/dense': dense(1), 'layers/dense_1': dense(2) });
    // The offset is far beyond the end of the file.
    const view = new DataView(file.buffer, file.byteOffset);
    const text = new TextDecoder('latin1').decode(file);
    assert.ok(text.includes('SNOD'));
    let patchCount = 0;
    for (let at = 0; at + 18 <= file.length; at += 2) {
      // Finds the layout message of a bias: version 3, contiguous, 8 bytes.
      if (file[at] === 3 && file[at + 1] === 1 && view.getBigUint64(at + 10, true) === 8n) {
        view.setBigUint64(at + 2, 1n << 40n, true);
        patchCount++;
      }
    }
    assert.ok(patchCount > 0);
    assert.match(await message(file), /has 8 bytes from 1099511627776, but the file ends at/);
  });

  test('a group that contains itself, and an endless list, are refused quickly', async () => {
    const circle = weightsFile({ 'layers/dense': dense(1) }, (_, at) =>
      at('layers').create_hard_link('/', 'again'),
    );
    const start = cpuTime();
    assert.match(await message(circle), /limits\.depth|limits\.entries|left over/);
    assert.ok(cpuTime() - start < 2000);
  });

  test('files that are not weights are refused', async () => {
    assert.match(await message(new Uint8Array(0)), /is empty/);
    assert.match(await message(new TextEncoder().encode('<html>')), /web page/);
  });
});

test('ops between layers have no weights and no place in the order', async () => {
  const x = Input({ shape: [2] });
  const model = new Model({ inputs: x, outputs: ops.add(layers.dense({ units: 2 }).apply(x), 1) });
  await model.loadWeights(weightsFile({ 'layers/dense': dense(4) }));
  assert.deepEqual(firstNumbers(model), [4, 14]);
});

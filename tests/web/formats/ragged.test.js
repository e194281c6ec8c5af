// SPDX-License-Identifier: MIT
// Models with `Input(ragged=True)`: rows of any length have the results that they have alone,
// without padding.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import * as mf from '../../../dist/index.js';
import * as train from '../../../dist/train.js';
import { legacyH5 } from '../../support/legacy_files.js';
import { asList, contentOf, savedModelFiles } from '../../support/saved_models.js';
import { shake } from '../../support/legacy_models.js';
import { close } from '../../support/watch.js';

// The module that can train has to start first.
await train.ready({ onMaskDropped: 'silent' });
await mf.ready({ onMaskDropped: 'silent' });
const { layers } = mf;

const tagger = (options = {}) =>
  shake(
    new mf.Sequential([
      mf.Input({ shape: [null], dtype: 'int32', name: 'words' }),
      layers.embedding({ inputDim: 9, outputDim: 4, ...options }),
      layers.bidirectional({ layer: layers.lstm({ units: 3 }) }),
      layers.dense({ units: 2 }),
    ]),
  );
const sensor = () => {
  const x = mf.Input({ shape: [null, 2], name: 'sensor' });
  const y = layers.dense({ units: 3, activation: 'relu' }).apply(x);
  const z = layers.gru({ units: 2, resetAfter: false, returnSequences: true }).apply(y);
  return shake(new mf.Model({ inputs: x, outputs: layers.dense({ units: 1 }).apply(z) }));
};

/** Sets `ragged` in all inputs of a config. */
const ragged = (config) =>
  JSON.parse(JSON.stringify(config).replaceAll('"sparse":false', '"sparse":false,"ragged":true'));

/** Returns the model as files of each kind, with ragged inputs. */
async function filesOf(model) {
  const content = await contentOf(model);
  const config = ragged(content.config);
  assert.match(JSON.stringify(config), /"ragged":true/);
  const zip = unzipSync(await model.save());
  const text = strFromU8(zip['config.json']);
  const keras = text.replaceAll('"ragged":false', '"ragged":true');
  assert.notEqual(keras, text);
  return {
    h5: legacyH5({ config, version: '2.9.0', layers: content.layers }),
    keras: zipSync({ ...zip, 'config.json': strToU8(keras) }),
    savedModel: asList(savedModelFiles({ ...content, config })),
  };
}

/** The results of rows that are alone in their batch. */
const alone = (model, rows, dtype) =>
  rows.map((row) => model.predict(mf.tensor([row], { dtype })).array()[0]);

const ids = [[1, 2, 3, 0, 5], [4], [0, 8]];
const readings = [
  [
    [1, 2],
    [3, 4],
    [0, 0],
  ],
  [[5, 6]],
];

describe('Input(ragged=True)', () => {
  for (const kind of ['h5', 'keras', 'savedModel']) {
    test(`of ids: rows of any length, ${kind}`, async () => {
      const reference = tagger();
      const model = await mf.loadModel((await filesOf(reference))[kind]);
      close(model.predict(ids).array(), alone(reference, ids, 'int32'));
      close((await model.predictAsync(ids)).array(), alone(reference, ids, 'int32'));
      close(
        model.predict([Int32Array.of(1, 2), [3]]).array(),
        alone(reference, [[1, 2], [3]], 'int32'),
      );
      // A tensor is padded with -1.
      const padded = mf.padSequences(ids, { padding: 'post', value: -1 });
      close(model.predict(padded).array(), alone(reference, ids, 'int32'));
    });

    test(`of numbers: outputs for each step, ${kind}`, async () => {
      const reference = sensor();
      const model = await mf.loadModel((await filesOf(reference))[kind]);
      const result = model.predict(readings);
      const [long, [short]] = alone(reference, readings, 'float32');
      assert.deepEqual(result.shape, [2, 3, 1]);
      close(result.array()[0], long);
      close(result.array()[1][0], short);
      assert.deepEqual(model.apply(mf.tensor(readings.slice(1))).shape, [1, 1, 1]);
    });
  }

  test('shows its masks, and accepts rows without ids', async () => {
    const reference = tagger();
    const model = await mf.loadModel((await filesOf(reference)).h5);
    const { maskIn } = model.traceMasks(ids).find(({ className }) => className === 'Bidirectional');
    assert.deepEqual(
      maskIn,
      ids.map((row) => Array.from({ length: 5 }, (_, step) => step < row.length)),
    );
    const [[first, empty], [expected]] = [
      model.predict([[1], []]).array(),
      alone(reference, [[1]], 'int32'),
    ];
    close(first, expected);
    // Without steps, the states are zeros.
    const bias = reference.getWeights().at(-1).array();
    close(empty, bias);
  });

  test('checkPadding accepts the rows, and pads with what is padding there', async () => {
    const right = { same: true, difference: 0, layer: null, remedy: null };
    for (const [reference, rows] of [
      [tagger(), ids],
      [tagger({ maskZero: true }), ids],
      [sensor(), readings],
    ]) {
      const model = await mf.loadModel((await filesOf(reference)).h5);
      assert.deepEqual(await model.checkPadding(rows), right);
      assert.deepEqual(await model.checkPadding(rows, { steps: 2 }), right);
    }
    const model = await mf.loadModel((await filesOf(tagger())).h5);
    const padded = mf.padSequences(ids, { padding: 'post', value: -1 });
    assert.deepEqual(await model.checkPadding(padded), right);
    // A layer that mixes padding with data is found, and its remedy does not speak of id 0.
    const words = mf.Input({ shape: [null], dtype: 'int32', name: 'words' });
    const vectors = layers.embedding({ inputDim: 9, outputDim: 4 }).apply(words);
    const mixing = layers.globalMaxPooling1D({ name: 'highest' }).apply(vectors);
    const wrong = shake(new mf.Model({ inputs: words, outputs: mixing }));
    const found = await (await mf.loadModel((await filesOf(wrong)).h5)).checkPadding([[1, 2], [3]]);
    assert.equal(found.same, false);
    assert.equal(found.layer, 'highest');
    assert.doesNotMatch(found.remedy, /padSequences|maskZero/);
  });

  test('of ids that a layer masks masks them, too', async () => {
    const reference = tagger({ maskZero: true });
    const model = await mf.loadModel((await filesOf(reference)).h5);
    close(model.predict(ids).array(), alone(reference, ids, 'int32'));
  });

  test('of several inputs, as a list and by name', async () => {
    const [a, b] = [
      mf.Input({ shape: [null], dtype: 'int32', name: 'a' }),
      mf.Input({ shape: [2], name: 'b' }),
    ];
    const words = layers
      .lstm({ units: 2 })
      .apply(layers.embedding({ inputDim: 9, outputDim: 2 }).apply(a));
    const outputs = layers.dense({ units: 1 }).apply(layers.concatenate().apply([words, b]));
    const reference = shake(new mf.Model({ inputs: [a, b], outputs }));
    const content = await contentOf(reference);
    const { config } = content;
    for (const layer of config.config.layers) if (layer.name === 'a') layer.config.ragged = true;
    const model = await mf.loadModel(
      legacyH5({ config, version: '2.9.0', layers: content.layers }),
    );
    const facts = [
      [1, 2],
      [3, 4],
      [5, 6],
    ];
    const expected = ids.map(
      (row, i) =>
        reference.predict([mf.tensor([row], { dtype: 'int32' }), mf.tensor([facts[i]])]).array()[0],
    );
    close(model.predict([ids, mf.tensor(facts)]).array(), expected);
    close(model.predict([ids, facts]).array(), expected);
    close(model.predict({ a: ids, b: facts }).array(), expected);
    for (const inputs of [[ids, mf.tensor(facts)], { a: ids, b: facts }]) {
      assert.equal((await model.checkPadding(inputs)).same, true);
    }
  });

  test('trains, and leaves no tensors', async () => {
    const model = await train.loadModel((await filesOf(tagger())).h5);
    model.compile({ optimizer: 'sgd', loss: 'mse' });
    const { history } = await model.fit(
      ids,
      [
        [1, 0],
        [0, 1],
        [1, 1],
      ],
      { epochs: 2, verbose: 0 },
    );
    assert.ok(history.loss[1] < history.loss[0]);
    const before = train.memoryInfo?.().tensors;
    model.predict(ids).dispose();
    assert.equal(train.memoryInfo?.().tensors, before);
  });

  test('saves as a model whose ids are padded with -1', async () => {
    const reference = tagger();
    const model = await mf.loadModel((await filesOf(reference)).keras);
    const again = await mf.loadModel(await model.save());
    const padded = mf.padSequences(ids, { padding: 'post', value: -1 });
    close(again.predict(padded).array(), alone(reference, ids, 'int32'));
  });

  test('of a model inside is padded, too', async () => {
    const inner = tagger();
    const x = mf.Input({ shape: [null], dtype: 'int32', name: 'outer' });
    const reference = new mf.Model({ inputs: x, outputs: inner.apply(x) });
    const content = await contentOf(reference);
    const nested = legacyH5({ ...content, config: ragged(content.config), version: '2.9.0' });
    const model = await mf.loadModel(nested);
    close(model.predict(ids).array(), alone(reference, ids, 'int32'));
  });

  test('is refused with the remedy if it cannot be padded', async () => {
    const x = mf.Input({ shape: [null], dtype: 'int32', name: 'both' });
    const embedded = layers.embedding({ inputDim: 9, outputDim: 1 }).apply(x);
    const own = layers.reshape({ targetShape: [-1, 1] }).apply(x);
    const outputs = layers.concatenate().apply([embedded, own]);
    const content = await contentOf(new mf.Model({ inputs: x, outputs }));
    const file = legacyH5({ ...content, config: ragged(content.config), version: '2.9.0' });
    await assert.rejects(mf.loadModel(file), {
      name: 'ConfigError',
      message: /'both': a ragged input of ids .*pad the sequences/,
    });
  });
});

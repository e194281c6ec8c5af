// SPDX-License-Identifier: MIT
// Legacy weights loaded into an existing model, and the errors if they do not fit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../../../dist/index.js';
import { array, legacyH5, withNames, valuesOf } from '../../support/legacy_files.js';
import { assertSame, floats, shake } from '../../support/legacy_models.js';

await mf.ready({ onMaskDropped: 'silent' });
const { layers } = mf;

const make = (names, units = [3, 3, 2]) =>
  new mf.Sequential([
    mf.Input({ shape: [3] }),
    ...names.map((name, i) => layers.dense({ name, units: units[i] })),
  ]);

const fileOf = (model, names = model.layers.map(({ name }) => name)) =>
  legacyH5({
    version: '2.3.0',
    layers: [
      { name: 'dropout', weights: [] },
      ...model.layers.map((layer, i) => ({
        name: names[i],
        weights: withNames(valuesOf(layer), [`${names[i]}/kernel:0`, `${names[i]}/bias:0`]),
      })),
    ],
  });

const x = floats([4, 3]);

test('weights only: matched in the order of the layers if names differ, by name if they are equal', async () => {
  const source = shake(make(['dense_7', 'dense_8', 'dense_9']));
  const target = shake(make(['first', 'second', 'third']), 5);
  await target.loadWeights(fileOf(source));
  assertSame(target, source, x);
  // The model has the same layer names in another order, which misleads Keras.
  const sameNames = shake(make(['dense_7', 'dense_8', 'dense_9']), 6);
  const layersOf = [1, 0, 2].map((i) => source.layers[i]);
  await sameNames.loadWeights(fileOf({ layers: layersOf }));
  assertSame(sameNames, source, x);
});

test('byName: only layers of the same name are loaded', async () => {
  const source = shake(make(['a', 'b', 'c']));
  const model = shake(make(['a', 'other', 'c', 'more'], [3, 3, 2, 2]), 5);
  const [original] = valuesOf(model.getLayer('other'));
  await model.loadWeights(fileOf(source), { byName: true });
  for (const name of ['a', 'c']) {
    assert.deepEqual(valuesOf(model.getLayer(name)), valuesOf(source.getLayer(name)));
  }
  assert.deepEqual(valuesOf(model.getLayer('other'))[0], original);
  await assert.rejects(model.loadWeights(fileOf(source)), {
    name: 'FormatError',
    message: /4 missing, 2 left over/,
  });
});

test('what does not fit is listed for both sides, and nothing changes', async () => {
  const source = shake(make(['a', 'b', 'c']));
  const model = shake(make(['a', 'b', 'c'], [3, 4, 2]), 5);
  const original = valuesOf(model);
  await assert.rejects(model.loadWeights(fileOf(source)), (error) => {
    assert.equal(error.name, 'FormatError');
    assert.match(
      error.message,
      /b\/kernel \[3, 4\] in the model, b\/kernel:0 \[3, 3\] in the file/,
    );
    assert.match(error.message, /c\/kernel \[4, 2\]/);
    return true;
  });
  assert.deepEqual(valuesOf(model), original);
  const less = legacyH5({
    version: '2.3.0',
    layers: [{ name: 'a', weights: [array('a/kernel:0', [3, 3], new Array(9).fill(0))] }],
  });
  await assert.rejects(make(['a'], [3]).loadWeights(less), { message: /a\/bias \[3\]/ });
});

test('weights of cuDNN layers load into an existing LSTM', async () => {
  const model = new mf.Sequential([
    mf.Input({ shape: [2, 1] }),
    layers.lstm({ units: 1, name: 'l' }),
  ]);
  // With one unit and one input all layouts are equal; only the doubled bias differs.
  const bytes = legacyH5({
    version: '2.2.0',
    layers: [
      {
        name: 'cu_dnnlstm_1',
        weights: [
          array('k', [1, 4], [1, 2, 3, 4]),
          array('r', [1, 4], [5, 6, 7, 8]),
          array('b', [8], [1, 2, 3, 4, 10, 20, 30, 40]),
        ],
      },
    ],
  });
  await model.loadWeights(bytes);
  assert.deepEqual(
    valuesOf(model).map(({ data }) => [...data]),
    [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [11, 22, 33, 44],
    ],
  );
});

const sequential = (...list) =>
  legacyH5({ config: { class_name: 'Sequential', config: list }, version: '2.2.4', layers: [] });

test('everything unknown in a file is listed at once', async () => {
  const rnn = { units: 2, batch_input_shape: [null, 3, 2] };
  const file = sequential(
    { class_name: 'LSTM', config: { name: 'turned', ...rnn, time_major: true } },
    { class_name: 'Attention3', config: { name: 'mine' } },
    { class_name: 'Lambda', config: { name: 'code', function: ['4wEAAAA=', null, null] } },
    { class_name: 'BatchNormalization', config: { name: 'old', mode: 1 } },
    { class_name: 'Merge', config: { name: 'angle', mode: 'cos' } },
    { class_name: 'Dense', config: { name: 'odd', units: 2, colour: 'red' } },
  );
  await assert.rejects(mf.loadModel(file), ({ name, message }) => {
    assert.equal(name, 'ConfigError');
    for (const part of [
      /'turned': time_major/,
      /Attention3 \(mine\)/,
      /'code' is a Lambda/,
      /'old'.*mode 1/,
      /'angle': Merge has the unsupported mode "cos"/,
      /colour/,
    ]) {
      assert.match(message, part);
    }
    return true;
  });
});

test('sparse inputs, constants of cells and invalid models are refused', async () => {
  const functional = (entries) =>
    legacyH5({
      config: {
        class_name: 'Model',
        config: {
          name: 'm',
          layers: entries,
          input_layers: [['x', 0, 0]],
          output_layers: [['r', 0, 0]],
        },
      },
      version: '2.2.4',
      layers: [],
    });
  const input = {
    class_name: 'InputLayer',
    name: 'x',
    config: { name: 'x', batch_input_shape: [null, 3, 2], sparse: true },
    inbound_nodes: [],
  };
  const rnn = {
    class_name: 'RNN',
    name: 'r',
    config: {
      name: 'r',
      num_constants: 1,
      cell: { class_name: 'SimpleRNNCell', config: { units: 2, name: 'c' } },
    },
    inbound_nodes: [
      [
        ['x', 0, 0, {}],
        ['x', 0, 0, {}],
      ],
    ],
  };
  await assert.rejects(mf.loadModel(functional([input, rnn])), ({ message }) => {
    assert.match(message, /'x': sparse inputs; pad/);
    assert.match(message, /'r': constants of a recurrent cell \(num_constants 1\)/);
    return true;
  });
  const noModel = legacyH5({ config: { class_name: 'Dense', config: {} }, layers: [] });
  await assert.rejects(mf.loadModel(noModel), {
    name: 'FormatError',
    message: /not that of a model, but of a Dense/,
  });
  const invalidJson = legacyH5({ config: '{"class_name": Sequential}', layers: [] });
  await assert.rejects(mf.loadModel(invalidJson), {
    name: 'FormatError',
    message: /model_config.*not valid JSON/,
  });
  const weightsOnly = fileOf(make(['a']));
  await assert.rejects(mf.loadModel(weightsOnly), { name: 'FormatError', message: /weights only/ });
});

// SPDX-License-Identifier: MIT
// Models of text layers alone, and what all models that read text print, save and read from files.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import * as mf from '../../../dist/index.js';
import '../../../dist/text.js';
import { maskflow } from '../../support/command.js';
import { storedZip, treeH5 } from '../../support/legacy_files.js';
import { keras, vectorization } from '../../support/text_layers.js';

before(() => mf.ready());
const folder = mkdtempSync(join(tmpdir(), 'maskflow-'));
after(() => rmSync(folder, { recursive: true }));

const words = ['the', 'cat', 'sat', 'mat'];
const texts = [['The cat sat!'], ['A mat']];
const ids = [
  [2, 3, 4, 0, 0, 0],
  [1, 5, 0, 0, 0, 0],
];
const input = (name, shape) =>
  keras('InputLayer', { batch_shape: [null, ...shape], dtype: 'string', name });
const sequential = (layers, more = {}) => ({
  module: 'keras',
  class_name: 'Sequential',
  config: { name: 'texts', trainable: true, layers },
  registered_name: null,
  ...more,
});
const tensor = (name, dtype, shape) => ({
  class_name: '__keras_tensor__',
  config: { shape, dtype, keras_history: [name, 0, 0] },
});
const node = (entry, ...args) => ({
  ...entry,
  name: entry.config.name,
  inbound_nodes: args.length > 0 ? [{ args, kwargs: {} }] : [],
});
const functional = (layers, output) => ({
  module: 'keras',
  class_name: 'Functional',
  config: { name: 'texts', layers, input_layers: ['text', 0, 0], output_layers: [output, 0, 0] },
  registered_name: null,
});
const graph = (layer, ...others) =>
  functional(
    [node(input('text', [1])), node(layer, tensor('text', 'string', [null, 1])), ...others],
    others.at(-1)?.name ?? layer.config.name,
  );
const file = (config, files = {}) =>
  storedZip({
    'metadata.json': { keras_version: '3.15.1' },
    'config.json': config,
    'model.weights.h5': treeH5({}),
    ...Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]),
    ),
  });
const assets = {
  'assets/layers/text_vectorization/vocabulary.txt': ['', '[UNK]', ...words].join('\n'),
};
const own = (more = {}) => vectorization({ vocabulary: words, ...more });

const alone = {
  'after an Input': file(sequential([input('text', [1]), own()])),
  'after an Input without axes': file(sequential([input('text', []), own()])),
  'that was built': file(sequential([own()], { build_config: { input_shape: [null, 1] } })),
  'that was never built': file(sequential([own()])),
  'with the vocabulary in assets': file(sequential([vectorization()]), assets),
  'as a Functional model': file(graph(own())),
};

describe('a model of TextVectorization alone', () => {
  for (const [how, bytes] of Object.entries(alone)) {
    test(`${how}: maps texts, prints its layer, is saved`, async () => {
      const model = await mf.loadModel(bytes);
      assert.deepEqual(model.predict(texts).array(), ids);
      assert.deepEqual(model.predict(texts.flat()).array(), ids);
      const summary = model.summary({ print: null });
      assert.match(
        summary,
        /\n\w+ \(InputLayer\) .*\ntext_vectorization \(TextVectorization\) +\(None, 6\)/,
      );
      assert.doesNotMatch(summary, /Identity/);
      const again = await mf.loadModel(await model.save());
      assert.deepEqual(again.predict(texts).array(), ids);
      assert.deepEqual(again.textLayers[0].getVocabulary(), ['', '[UNK]', ...words]);
    });
  }

  test('returns vectors in other modes', async () => {
    const layer = own({ output_mode: 'multi_hot', output_sequence_length: null });
    const model = await mf.loadModel(file(sequential([layer])));
    assert.deepEqual(model.predict(texts).array(), [
      [0, 1, 1, 1, 0],
      [1, 0, 0, 0, 1],
    ]);
  });
});

test('the summary of a larger model connects its layers to those that read text', async () => {
  const flat = keras('Flatten', { name: 'flat' });
  const models = [
    sequential([input('text', [1]), own(), flat]),
    graph(own(), node(flat, tensor('text_vectorization', 'int64', [null, 6]))),
  ];
  for (const config of models) {
    const model = await mf.loadModel(file(config));
    assert.match(
      model.summary({ print: null }),
      /text \(InputLayer\).*\ntext_vectorization \(TextVectorization\).* text\nflat \(Flatten\) .* text_vectorization\n/,
    );
    const saved = await mf.loadModel(await model.save());
    assert.deepEqual(saved.predict(texts).array(), ids);
  }
});

test('the command prints and converts it', () => {
  const path = join(folder, 'alone.keras');
  writeFileSync(path, alone['that was never built']);
  const { code, out } = maskflow(['info', path]);
  assert.equal(code, 0);
  assert.match(out, /text_vectorization \(TextVectorization\)/);
  const json = JSON.parse(maskflow(['info', path, '--json']).out);
  assert.deepEqual(
    json.layers.map(({ className }) => className),
    ['InputLayer', 'TextVectorization'],
  );
  const converted = join(folder, 'converted.keras');
  assert.equal(maskflow(['convert', path, converted]).code, 0);
  const { out: numbers } = maskflow(['run', converted, '--input', '-'], { input: 'the mat\n' });
  assert.match(numbers, /2,\s*5,\s*0/);
});

describe('a vocabulary that the config names as a file', () => {
  const bytes = file(sequential([vectorization({ vocabulary: '/somewhere/words.txt' })]));
  const vocabulary = ['', '[UNK]', ...words].join('\n');

  test('is read from beside the model', async () => {
    writeFileSync(join(folder, 'named.keras'), bytes);
    writeFileSync(join(folder, 'words.txt'), vocabulary);
    const model = await mf.loadModel(join(folder, 'named.keras'));
    assert.deepEqual(model.predict(texts).array(), ids);
    const again = await mf.loadModel(await model.save());
    assert.deepEqual(again.predict(texts).array(), ids);
  });

  test('is read from the files of the caller', async () => {
    const data = new TextEncoder().encode(words.join('\n'));
    const files = [
      { name: 'model.keras', data: bytes },
      { name: 'words.txt', data },
    ];
    assert.deepEqual((await mf.loadModel({ files })).predict(texts).array(), ids);
  });

  test('is a ConfigError with the remedies where it is missing', async () => {
    await assert.rejects(mf.loadModel(bytes), {
      name: 'ConfigError',
      message: /words\.txt', which is not beside the model.*files.*customObjects/,
    });
  });
});

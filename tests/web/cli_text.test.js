// SPDX-License-Identifier: MIT
// The command runs models that read text.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { fail, fixtures, scratch, succeed } from '../support/command.js';
import { textModelFile } from '../support/text_layers.js';

await mf.ready({ onMaskDropped: 'silent' });
const { path, write } = scratch();
const model = write('texts.keras', textModelFile());
const idModel = await mf.loadModel(fixtures('seq_embed_lstm.keras'));
const texts = ['The cat sat.', '[A dog] ran far', 'zebra'];
const ids = [
  [2, 3, 4, 0, 0, 0],
  [7, 8, 9, 10, 0, 0],
  [1, 0, 0, 0, 0, 0],
];
const idResults = idModel.predict(mf.tensor(ids, { dtype: 'int32' })).array();
const near = (actual, expected = idResults) => {
  assert.equal(actual.length, expected.length);
  for (const [i, row] of expected.entries()) {
    for (const [k, value] of row.entries()) assert.ok(Math.abs(actual[i][k] - value) < 1e-6);
  }
};
const file = write('texts.txt', `${texts.join('\n')}\n`);

suite('a model that reads text', () => {
  test('is refused by train, and its file does not change', () => {
    const y = write('y.csv', '1\n0\n1\n');
    fail(
      ['train', model, '--x', file, '--y', y, '--loss', 'mse'],
      1,
      /reads text, and such models cannot be trained here/,
    );
  });

  const predicts = (input, ...more) =>
    JSON.parse(succeed(['run', model, '-i', input, ...more]).out);

  test('reads one text per line', () => {
    near(predicts(file));
    near(predicts(file, '--batch-size', '2'));
    near(predicts(write('crlf.txt', texts.join('\r\n'))));
    const [first, , , second] = [...idResults, ...idResults];
    near(predicts(write('gap.txt', `${texts[0]}\n\n${texts[0]}\n`)).toSpliced(1, 1), [
      first,
      second,
    ]);
  });

  test('reads JSON, and both from standard input', () => {
    const forms = [texts, texts.map((text) => [text]), { text: texts }, { inputs: [texts] }];
    for (const [i, form] of forms.entries()) {
      near(predicts(write(`form${i}.json`, JSON.stringify(form))));
    }
    const runPiped = (input) => JSON.parse(succeed(['run', model, '-i', '-'], { input }).out);
    near(runPiped(JSON.stringify(texts)));
    near(runPiped(texts.join('\n')));
    near(runPiped(`${texts[1]}\n`), [idResults[1]]);
  });

  test('can be labelled, traced, profiled and quantized', () => {
    const { out } = succeed(['run', model, '-i', file, '--labels', 'a,b,c']);
    assert.equal(out.trim().split('\n').length, 2 + texts.length);
    const report = succeed(['trace', model, file]).out;
    assert.match(
      report,
      /embedding \(Embedding\): makes\n.*\n {2}out: 8 of 18 kept \(■■■··· ■■■■·· ■·····\)/,
    );
    assert.match(succeed(['profile', model, '-i', file, '--repeats', '1']).out, /lstm \(LSTM\)/);
    assert.match(succeed(['profile', model, '--repeats', '1']).out, /lstm \(LSTM\)/);
    const { outputs } = JSON.parse(succeed(['quantize', model, '-i', file, '--json']).out);
    assert.ok(outputs[0].maxError > 0 && outputs[0].maxError < 0.01);
  });

  test('is saved as a whole, and its weights alone', () => {
    succeed(['convert', model, path('out.keras')]);
    assert.match(succeed(['info', path('out.keras')]).out, /\(TextVectorization\)/);
    fail(['convert', model, path('model.json')], 1, /layers that read text \(text_vectorization\)/);
    const weights = path('out.weights.h5');
    succeed(['convert', model, weights]);
    assert.match(succeed(['info', weights]).out, /weights only: 6 arrays/);
  });

  test('names inputs that are not text', () => {
    const refuses = (name, text, message) =>
      fail(['run', model, '-i', write(name, text)], 1, message);
    refuses(
      'numbers.json',
      '[[1, 2], [3, 4]]',
      /the model reads text, but 'numbers\.json' has none/,
    );
    refuses('mixed.json', '["a cat", 5]', /row 2 of 'mixed\.json' is 5, which is not text/);
    refuses('one.json', '{"text": 5}', /input 'text' of 'one\.json' must be an array of texts/);
    refuses('broken.json', '["a cat"', /'broken\.json' is not valid JSON/);
    refuses('other.json', '{"other": ["a cat"]}', /'text'|other/);
    refuses('empty.txt', '', /'empty\.txt' is empty/);
    fail(['run', model, '-i', file, '--pad'], 2, /--pad is for rows of numbers/);
  });

  test('text for a model that reads numbers is reported by its place', () => {
    const lstm = fixtures('seq_embed_lstm.keras');
    fail(
      ['run', lstm, '-i', file],
      1,
      /row 2, column 1 \('The cat sat\.'\) of 'texts\.txt' is '\[A dog\] ran far'/,
    );
    fail(['run', lstm, '-i', write('t.json', '["a", "b"]')], 1, /the element at \[0\]/);
  });
});

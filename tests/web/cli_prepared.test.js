// SPDX-License-Identifier: MIT
// The command with files that stand beside a model: Tokenizers, scalers, label encoders.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as mf from '../../dist/index.js';
import { readPickle, Tokenizer } from '../../dist/text.js';
import { fail, scratch, succeed } from '../support/command.js';

await mf.ready({ seed: 1 });
const { path, write } = scratch();
const folder = new URL('../fixtures/beside_models/', import.meta.url);
const linesOf = (name) =>
  String(gunzipSync(readFileSync(new URL(name, folder))))
    .trim()
    .split('\n')
    .map(JSON.parse);
const pickled = linesOf('sklearn.jsonl.gz');
const bytesOf = ({ file }) => Buffer.from(file, 'base64');

const tokenizer = new Tokenizer({ oovToken: '<OOV>' });
tokenizer.fitOnTexts(['the movie was good', 'what a film, the best!']);
const json = write('tokenizer.json', JSON.stringify(tokenizer));
const map = write('words.json', JSON.stringify(tokenizer.wordIndex));
const scalerFile = pickled.find(
  ({ class: name, calls }) => name === 'StandardScaler' && calls[0].x.shape[1] === 3,
);
const scalerPath = path('scaler.pkl');
writeFileSync(scalerPath, bytesOf(scalerFile));
const scaler = await readPickle(bytesOf(scalerFile));
const encoderFile = pickled.find(({ classes }) => classes?.length === 2);
const encoderPath = path('encoder.pkl');
writeFileSync(encoderPath, bytesOf(encoderFile));

async function saved(name, layers) {
  const model = new mf.Sequential(layers);
  await model.save(path(name));
  return [path(name), model];
}
const { layers, Input } = mf;
const words = (steps) => [
  Input({ shape: [steps], dtype: 'int32' }),
  layers.embedding({ inputDim: 60, outputDim: 3, maskZero: true }),
  layers.lstm({ units: 2 }),
  layers.dense({ units: 2, activation: 'softmax' }),
];
const [fixed, fixedModel] = await saved('fixed.keras', words(5));
const [free, freeModel] = await saved('free.keras', words(null));
const [table, tableModel] = await saved('table.keras', [
  Input({ shape: [3] }),
  layers.dense({ units: 1 }),
]);
const [steps, stepsModel] = await saved('steps.keras', [
  Input({ shape: [null, 3] }),
  layers.gru({ units: 1 }),
]);

const texts = ['the movie was bad', 'the best'];
const idsOf = (options) => mf.padSequences(tokenizer.textsToSequences(texts), options);
const near = (actual, expected) => {
  const [a, b] = [actual, expected].map((values) => values.flat(9));
  assert.equal(a.length, b.length);
  for (const [i, value] of b.entries()) assert.ok(Math.abs(a[i] - value) < 1e-6);
};
const predicts = (...args) => JSON.parse(succeed(['run', '-q', ...args]).out);

suite('--tokenizer', () => {
  test('turns texts into ids of the length of the model', () => {
    const input = write('t.txt', `${texts.join('\n')}\n`);
    const expected = fixedModel.predict(idsOf({ maxlen: 5 })).array();
    for (const file of [json, map]) {
      const own = file === map ? Tokenizer.fromWordIndex(tokenizer.wordIndex) : tokenizer;
      const ids = mf.padSequences(own.textsToSequences(texts), { maxlen: 5 });
      near(predicts(fixed, '-i', input, '--tokenizer', file), fixedModel.predict(ids).array());
    }
    near(predicts(fixed, '-i', input, '--tokenizer', json), expected);
  });

  test('reads a column of CSV, and pads as the options say', () => {
    const input = write('t.csv', `id,text\n1,${texts[0]}\n2,${texts[1]}\n`);
    const args = ['--columns', 'text', '--id', 'id', '--format', 'jsonl', '--tokenizer', json];
    const { out } = succeed([
      'run',
      '-q',
      free,
      '-i',
      input,
      ...args,
      '--maxlen',
      '6',
      '--padding',
      'post',
    ]);
    const rows = out.trim().split('\n').map(JSON.parse);
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['1', '2'],
    );
    const ids = idsOf({ maxlen: 6, padding: 'post' });
    near(
      rows.map(({ output }) => output),
      freeModel.predict(ids).array(),
    );
  });

  test('reads a pickle', async () => {
    const { pickle } = linesOf('tokenizers.jsonl.gz').find(({ config, json: text }) => {
      const { config: kept } = JSON.parse(text);
      return (
        !config.char_level &&
        JSON.parse(kept.word_index).good !== undefined &&
        kept.oov_token === null
      );
    });
    const file = path('tokenizer.pickle');
    writeFileSync(file, Buffer.from(pickle, 'base64'));
    const read = await readPickle(file);
    const ids = mf.padSequences(read.textsToSequences(['good']), { maxlen: 5 });
    const input = write('g.txt', 'good\n');
    const run = () => predicts(fixed, '-i', input, '--tokenizer', file);
    near(run(), fixedModel.predict(ids).array());
  });

  test('names the remedy', () => {
    const input = write('t.txt', 'a\n');
    const { out } = succeed(['run', '-q', free, '-i', input, '--tokenizer', json, '--maxlen', '3']);
    assert.equal(JSON.parse(out).length, 1);
    fail(['run', free, '-i', input, '--tokenizer', json], 2, /--tokenizer needs --maxlen N/);
    fail(
      ['run', fixed, '-i', input, '--tokenizer', scalerPath],
      1,
      /not a Tokenizer of Keras; maskflow info/,
    );
    fail(
      ['run', fixed, '-i', input, '--tokenizer', json, '--scaler', scalerPath],
      2,
      /use one of them/,
    );
    const two = write('two.csv', 'a,b\nx,y\n');
    const args = ['--header', '--columns', 'a,b', '--tokenizer', json];
    fail(['run', fixed, '-i', two, ...args], 1, /has 2 texts, .*choose it with --columns/);
  });
});

suite('--scaler', () => {
  const rows = [
    [1, 2, 3],
    [4, 5, 6],
  ];

  test('scales the columns of a table, in 64 bits', () => {
    const input = write('n.csv', `a,b,c\n${rows.map(String).join('\n')}\n`);
    const expected = tableModel.predict(mf.tensor(scaler.transform(rows))).array();
    near(predicts(table, '-i', input, '--scaler', scalerPath), expected);
  });

  test('scales each step of a sequence, and pads afterwards', () => {
    const input = write(
      'n.jsonl',
      `${JSON.stringify(rows)}\n${JSON.stringify(rows.slice(0, 1))}\n`,
    );
    const args = ['--scaler', scalerPath, '--maxlen', '2', '--padding', 'post'];
    const { out } = succeed(['run', '-q', steps, '-i', input, ...args]);
    const scaled = scaler.transform(rows);
    const expected = stepsModel.predict(mf.tensor([scaled, [scaled[0], [0, 0, 0]]])).array();
    near(out.trim().split('\n').map(JSON.parse), expected);
  });

  test('names the wrong number of columns', () => {
    const input = write('w.csv', '1,2\n');
    fail(
      ['run', steps, '-i', input, '--scaler', scalerPath],
      1,
      /2 values, but the scaler has 3 columns/,
    );
    fail(['run', table, '-i', input, '--scaler', json], 1, /is JSON, not a pickle/);
  });
});

test('--labels reads the classes of a pickled LabelEncoder', () => {
  const input = write('t.txt', 'the movie\n');
  const args = ['--tokenizer', json, '--labels', encoderPath, '--format', 'jsonl'];
  const { out } = succeed(['run', '-q', fixed, '-i', input, ...args]);
  const { label } = JSON.parse(out);
  assert.ok(encoderFile.classes.map(String).includes(label));
});

suite('info', () => {
  test('prints what a pickle has, and a program that runs', async () => {
    for (const [file, words] of [
      [scalerPath, /StandardScaler: 3 columns/],
      [encoderPath, /LabelEncoder: 2 classes/],
    ]) {
      const { out } = succeed(['info', file]);
      assert.match(out, words);
      const [, program] = out.split(/\n(?=import )/);
      const code = program
        .replace("'maskflow/text'", `'${new URL('../../dist/text.js', import.meta.url)}'`)
        .replace(/readPickle\(".*"\)/, `readPickle(${JSON.stringify(file)})`);
      const module = `data:text/javascript,${encodeURIComponent(`${code}\nexport default 1;`)}`;
      assert.equal((await import(module)).default, 1);
    }
  });

  test('prints the keys of a dictionary, and the layers of a pickled model', () => {
    const { arrays } = JSON.parse(readFileSync(new URL('pickles.json', folder)));
    const file = path('arrays.pkl');
    writeFileSync(file, Buffer.from(arrays[4], 'base64'));
    assert.match(
      succeed(['info', file]).out,
      /dictionary of 12 items\n {2}int64: array \[2,3\], int32/,
    );
    const { out } = succeed(['info', new URL('models/protocol4.pkl', folder).pathname]);
    assert.match(out, /Keras 3\.15\.1[\s\S]*embedding \(Embedding\)/);
    for (const name of ['keras22_protocol2', 'tensorflow28_protocol5', 'wrapped']) {
      const older = succeed(['info', new URL(`models/${name}.pkl`, folder).pathname]).out;
      assert.match(older, /Keras 2\.\d+\.\d[\s\S]*\(LSTM\)/);
    }
    assert.equal(
      JSON.parse(succeed(['info', file, '--json']).out).content,
      'dictionary of 12 items',
    );
  });
});

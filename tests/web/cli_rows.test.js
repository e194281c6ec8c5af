// SPDX-License-Identifier: MIT
// Rows that the command reads: wrong cells, rows of different lengths, labels of outputs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { fail, fixtures, scratch, succeed } from '../support/command.js';

await mf.ready({ onMaskDropped: 'silent' });
const { path, write } = scratch();
const lstm = fixtures('seq_embed_lstm.keras');
const model = await mf.loadModel(lstm);
const near = (actual, expected) => {
  const [a, b] = [actual, expected].map((values) => values.flat(Number.POSITIVE_INFINITY));
  assert.equal(a.length, b.length);
  for (const [i, value] of b.entries())
    assert.ok(Math.abs(a[i] - value) < 1e-6, `${a[i]}, ${value}`);
};
const runs = (input, ...more) => succeed(['run', lstm, '--input', input, ...more]);
const predicts = (input, ...more) => JSON.parse(runs(input, ...more).out);
const predicted = (rows) => model.predict(mf.tensor(rows, { dtype: 'int32' })).array();

suite('a wrong cell of a CSV', () => {
  const refuses = (text, message) => fail(['run', lstm, '-i', write('t.csv', text)], 1, message);

  test('is named by row, column, heading and content', () => {
    refuses('1,2\n3,x\n', /row 2, column 2 of 't\.csv' is 'x', but must be a number\n/);
    refuses('a,b\n1,2\n3,x\n', /row 3, column 2 \('b'\) of 't\.csv' is 'x'/);
    refuses('\n\n"a, b";"c"\n1;2\n3;\n', /row 5, column 2 \('c'\) of 't\.csv' is empty/);
    refuses('"a, b",c\nx y,2\n', /row 2, column 1 \('a, b'\) of 't\.csv' is 'x y'/);
    refuses('1,x\n1,2\n', /row 1, column 2 of 't\.csv' is 'x'/);
    refuses('a,b\nc,d\n1,2\n', /row 2, column 1 \('a'\) of 't\.csv' is 'c'/);
    refuses(`1\n${'y'.repeat(1000)}\n`, /is 'y{40}'/);
    refuses('the cat sat\n', /'t\.csv' has no rows of numbers/);
    refuses(' \n', /'t\.csv' is empty/);
  });

  test('is named in standard input too', () => {
    const input = '1,2\n3,1.5.1\n';
    fail(['run', lstm, '-i', '-'], 1, /row 2, column 2 of standard input is '1\.5\.1'/, { input });
    fail(['run', lstm, '-i', '-'], 1, /standard input is empty/, { input: '' });
  });

  test('is not reported for a number in quotes or with blanks around it', () => {
    near(predicts(write('q.csv', '"a ""b""", c\n"1", 2\n')), predicted([[1, 2]]));
  });
});

suite('--pad', () => {
  const ragged = write('ragged.csv', '1,2,3\n4,5,,\n6\n');
  const json = write('ragged.json', '[[1, 2, 3], [4, 5], [6]]');
  const pre = [
    [1, 2, 3],
    [0, 4, 5],
    [0, 0, 6],
  ];
  const post = [
    [1, 2, 3],
    [4, 5, 0],
    [6, 0, 0],
  ];
  const long = (rows, isPre) => rows.map((row) => (isPre ? [0, 0, 0, ...row] : [...row, 0, 0, 0]));

  test('fills rows up as padSequences does, to the length that the model needs', () => {
    for (const file of [ragged, json, write('by.json', '{"inputs": [[[1, 2, 3], [4, 5], [6]]]}')]) {
      near(predicts(file, '--pad'), predicted(long(pre, true)));
      near(predicts(file, '--padding', 'post'), predicted(long(post, false)));
    }
    const { err } = runs(ragged, '--pad');
    assert.equal(err, '');
  });

  test('accepts a length, a value and the side where long rows are cut', () => {
    const cut = (...more) => runs(ragged, '--maxlen', '2', ...more);
    near(
      JSON.parse(cut().out),
      predicted([
        [2, 3],
        [4, 5],
        [0, 6],
      ]),
    );
    near(
      JSON.parse(cut('--truncating', 'post').out),
      predicted([
        [1, 2],
        [4, 5],
        [0, 6],
      ]),
    );
    near(
      JSON.parse(cut('--pad-value', '7').out),
      predicted([
        [2, 3],
        [4, 5],
        [7, 6],
      ]),
    );
    near(
      JSON.parse(cut('--pad-value=7', '--padding=post').out),
      predicted([
        [2, 3],
        [4, 5],
        [6, 7],
      ]),
    );
    assert.equal(
      cut().err,
      'maskflow: note: 1 of 3 rows are longer than 2 and were cut at the beginning\n',
    );
    assert.match(cut('--truncating', 'post').err, /cut at the end\n/);
  });

  test("cuts the numbers of a row into steps if the model's steps have features", async () => {
    const file = fixtures('seq_masking_lstm_td.keras');
    const model = await mf.loadModel(file);
    const step = [1, 2, 3];
    const text = write('steps.csv', '1,2,3,1,2,3\n1,2,3\n');
    const vectors = write('steps.json', JSON.stringify([[step, step], [step]]));
    const full = mf.padSequences([[step, step], [step]], {
      maxlen: 6,
      dtype: 'float32',
      padding: 'post',
    });
    for (const input of [text, vectors]) {
      const { out } = succeed(['run', file, '-i', input, '--padding', 'post']);
      near(JSON.parse(out), model.predict(full).array());
    }
    const incomplete = write('odd.csv', '1,2,3\n1,2,3,4\n');
    const message =
      /row 2 of 'odd\.csv' has 4 numbers, which is not a multiple of the model's 3 features per step/;
    fail(['run', file, '-i', incomplete, '--pad'], 1, message);
  });

  test('refuses rows with other values than numbers', () => {
    const refuses = (text, message) =>
      fail(['run', lstm, '--pad', '-i', write('b.json', text)], 1, message);
    refuses('[[1, 2], [3, "x"]]', /row 2 of 'b\.json' has "x", which is not a number/);
    refuses('[[1, 2], [null]]', /row 2 of 'b\.json' has null/);
    refuses('[[1, 2], 3]', /row 2 of 'b\.json' is not an array/);
    refuses('[[1, 2], [[3]]]', /an item of sequence 1/);
    const csv = write('b.csv', '1,2\n3,,4\n');
    fail(['run', lstm, '--pad', '-i', csv], 1, /row 2, column 2 of 'b\.csv' is empty/);
  });
});

suite('--labels', () => {
  const rows = write('rows.csv', '1,2,3,4,5,6\n6,5,4,3,2,1\n');
  const outputs = predicts(rows);
  const best = outputs.map((row) => row.indexOf(Math.max(...row)));
  const names = ['cat', 'dog', 'bird'];

  test('shows the label of the largest output and its probability', () => {
    const lines = runs(rows, '--labels', 'cat,dog, bird').out.trim().split('\n');
    assert.match(lines[0], /^row {2}label {2}probability$/);
    const cells = lines.slice(2).map((line) => line.split(/ +/));
    assert.deepEqual(
      cells,
      outputs.map((row, i) => [`${i + 1}`, names[best[i]], Math.max(...row).toFixed(4)]),
    );
  });

  test('reads labels from a file, and writes them into JSON and CSV', () => {
    const file = write('names.txt', `${names.join('\r\n')}\r\n`);
    const to = path('labels.json');
    runs(rows, '--labels', file, '--output', to);
    const expectedRows = outputs.map((row, i) => ({
      label: names[best[i]],
      probability: Math.max(...row),
    }));
    assert.deepEqual(JSON.parse(readFileSync(to)), expectedRows);
    const csv = runs(rows, '--labels', 'a "x",b,c', '--format', 'csv').out.split('\n');
    assert.equal(csv[0], 'row,label,probability');
    const label = ['"a ""x"""', 'b', 'c'][best[0]];
    assert.equal(csv[1], `1,${label},${Math.max(...outputs[0])}`);
  });

  test('labels each step, and a single output that is a probability', async () => {
    const save = async (name, ...more) => {
      const model = new mf.Sequential([mf.Input({ shape: [2, 1] }), ...more]);
      await model.save(path(name));
      return path(name);
    };
    const data = write('steps.json', '[[[1], [2]], [[-3], [4]]]');
    const softmax = mf.layers.dense({ units: 2, activation: 'softmax' });
    const steps = await save('steps.keras', softmax);
    const results = JSON.parse(
      succeed(['run', steps, '-i', data, '--labels', 'a,b', '--format', 'json']).out,
    );
    assert.deepEqual(
      results.map(({ row, step }) => [row, step]),
      [
        [1, 1],
        [1, 2],
        [2, 1],
        [2, 2],
      ],
    );
    const table = succeed(['run', steps, '-i', data, '--labels', 'a,b']).out;
    assert.match(table, /^row {2}step {2}label {2}probability\n/);

    const flat = mf.layers.flatten();
    const config = { units: 1, useBias: false, kernelInitializer: 'ones' };
    const sigmoid = await save(
      'one.keras',
      flat,
      mf.layers.dense({ ...config, activation: 'sigmoid' }),
    );
    const result = succeed(['run', sigmoid, '-i', data, '--labels', 'no,yes', '--format', 'json']);
    const [first, second] = JSON.parse(result.out);
    assert.equal(first.label, 'yes');
    assert.ok(Math.abs(first.probability - 1 / (1 + Math.exp(-3))) < 1e-6);
    assert.ok(Math.abs(second.probability - 1 / (1 + Math.exp(-1))) < 1e-6);
    const negative = write('negative.json', '[[[-3], [1]]]');
    const [row] = JSON.parse(
      succeed(['run', sigmoid, '-i', negative, '--labels', 'no,yes', '--format', 'json']).out,
    );
    assert.equal(row.label, 'no');
    assert.ok(Math.abs(row.probability - 1 / (1 + Math.exp(-2))) < 1e-6);
    const linear = await save('linear.keras', mf.layers.flatten(), mf.layers.dense(config));
    fail(
      ['run', linear, '-i', data, '--labels', 'no,yes'],
      1,
      /an output is 3, which is not a probability/,
    );
  });

  test('refuses labels that do not fit the outputs', () => {
    const refuses = (labels, code, message, ...more) =>
      fail(['run', lstm, '-i', rows, '--labels', labels, ...more], code, message);
    refuses('a,b', 1, /the model has 3 outputs per row, but there are only 2 labels/);
    refuses('a,b,c,d', 1, /3 outputs per row, but there are 4 labels/);
    refuses('a,,c', 2, /label 2 of --labels is empty/);
    refuses(path('none.txt'), 1, /none\.txt: no such file/);
    refuses(write('gap.txt', 'a\n\nc\n'), 2, /label 2 of 'gap\.txt' is empty/);
    refuses(write('empty.txt', ''), 2, /label 1 of 'empty\.txt' is empty/);
    refuses(
      'a,b,c',
      2,
      /--labels writes words, which npy cannot contain; use json, jsonl or csv/,
      '--format',
      'npy',
    );
    refuses(
      'a,b,c',
      2,
      /the format 'txt' is unknown; .* one of json, jsonl, csv, or/,
      '-o',
      'x.txt',
    );
    const severalOutputs = fixtures('multi_output.keras');
    const recordedCase = fixtures('multi_output.io.json');
    fail(
      ['run', severalOutputs, '-i', recordedCase, '--labels', 'a,b'],
      2,
      /names one output, but the model has 3/,
    );
  });

  test('refuses outputs that are NaN', async () => {
    const model = new mf.Sequential([mf.Input({ shape: [2] }), mf.layers.dense({ units: 2 })]);
    await model.save(path('plain.keras'));
    const data = write('nan.csv', '1,nan\n');
    fail(['run', path('plain.keras'), '-i', data, '--labels', 'a,b'], 1, /an output is NaN/);
  });
});

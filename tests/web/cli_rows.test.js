// SPDX-License-Identifier: MIT
// The command's rows: wrong cells, rows that differ in length, labels of outputs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { fail, fixtures, scratch, succeed } from '../support/command.js';

await mf.ready({ onMaskDropped: 'silent' });
const { path, write } = scratch();
const lstm = fixtures('seq_embed_lstm.keras');
const model = await mf.loadModel(lstm);
const near = (got, wanted) => {
  const [a, b] = [got, wanted].map((values) => values.flat(Number.POSITIVE_INFINITY));
  assert.equal(a.length, b.length);
  for (const [i, value] of b.entries())
    assert.ok(Math.abs(a[i] - value) < 1e-6, `${a[i]}, ${value}`);
};
const runs = (input, ...more) => succeed(['run', lstm, '--input', input, ...more]);
const predicts = (input, ...more) => JSON.parse(runs(input, ...more).out);
const wanted = (rows) => model.predict(mf.tensor(rows, { dtype: 'int32' })).array();

suite('a wrong cell of a CSV', () => {
  const bad = (text, message) => fail(['run', lstm, '-i', write('t.csv', text)], 1, message);

  test('is told by row, column and heading, and what it holds', () => {
    bad('1,2\n3,x\n', /row 2, column 2 of 't\.csv' is 'x', but must be a number\n/);
    bad('a,b\n1,2\n3,x\n', /row 3, column 2 \('b'\) of 't\.csv' is 'x'/);
    bad('\n\n"a, b";"c"\n1;2\n3;\n', /row 5, column 2 \('c'\) of 't\.csv' is empty/);
    bad('"a, b",c\nx y,2\n', /row 2, column 1 \('a, b'\) of 't\.csv' is 'x y'/);
    bad('1,x\n1,2\n', /row 1, column 2 of 't\.csv' is 'x'/);
    bad('a,b\nc,d\n1,2\n', /row 2, column 1 \('a'\) of 't\.csv' is 'c'/);
    bad(`1\n${'y'.repeat(1000)}\n`, /is 'y{40}'/);
    bad('the cat sat\n', /'t\.csv' has no rows of numbers/);
    bad(' \n', /'t\.csv' is empty/);
  });

  test('in standard input', () => {
    const input = '1,2\n3,1.5.1\n';
    fail(['run', lstm, '-i', '-'], 1, /row 2, column 2 of standard input is '1\.5\.1'/, { input });
    fail(['run', lstm, '-i', '-'], 1, /standard input is empty/, { input: '' });
  });

  test('is none where it is a number in quotes, or with blanks around it', () => {
    near(predicts(write('q.csv', '"a ""b""", c\n"1", 2\n')), wanted([[1, 2]]));
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
  const long = (rows, before) =>
    rows.map((row) => (before ? [0, 0, 0, ...row] : [...row, 0, 0, 0]));

  test('fills rows up as padSequences does, at the length that the model takes', () => {
    for (const file of [ragged, json, write('by.json', '{"inputs": [[[1, 2, 3], [4, 5], [6]]]}')]) {
      near(predicts(file, '--pad'), wanted(long(pre, true)));
      near(predicts(file, '--padding', 'post'), wanted(long(post, false)));
    }
    const { err } = runs(ragged, '--pad');
    assert.equal(err, '');
  });

  test('with a length, a value and the side where long rows are cut', () => {
    const cut = (...more) => runs(ragged, '--maxlen', '2', ...more);
    near(
      JSON.parse(cut().out),
      wanted([
        [2, 3],
        [4, 5],
        [0, 6],
      ]),
    );
    near(
      JSON.parse(cut('--truncating', 'post').out),
      wanted([
        [1, 2],
        [4, 5],
        [0, 6],
      ]),
    );
    near(
      JSON.parse(cut('--pad-value', '7').out),
      wanted([
        [2, 3],
        [4, 5],
        [7, 6],
      ]),
    );
    near(
      JSON.parse(cut('--pad-value=7', '--padding=post').out),
      wanted([
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

  test('cuts the numbers of a row into steps where the model takes features', async () => {
    const file = fixtures('seq_masking_lstm_td.keras');
    const other = await mf.loadModel(file);
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
      near(JSON.parse(out), other.predict(full).array());
    }
    const odd = write('odd.csv', '1,2,3\n1,2,3,4\n');
    const said = /row 2 of 'odd\.csv' has 4 numbers, but the model takes 3 a step/;
    fail(['run', file, '-i', odd, '--pad'], 1, said);
  });

  test('refuses what is no row of numbers', () => {
    const bad = (text, message) =>
      fail(['run', lstm, '--pad', '-i', write('b.json', text)], 1, message);
    bad('[[1, 2], [3, "x"]]', /row 2 of 'b\.json' has "x", which is no number/);
    bad('[[1, 2], [null]]', /row 2 of 'b\.json' has null/);
    bad('[[1, 2], 3]', /row 2 of 'b\.json' is no array/);
    bad('[[1, 2], [[3]]]', /an item of sequence 1/);
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

  test('from a file, into JSON and CSV', () => {
    const file = write('names.txt', `${names.join('\r\n')}\r\n`);
    const to = path('labels.json');
    runs(rows, '--labels', file, '--output', to);
    const wantedRows = outputs.map((row, i) => ({
      label: names[best[i]],
      probability: Math.max(...row),
    }));
    assert.deepEqual(JSON.parse(readFileSync(to)), wantedRows);
    const csv = runs(rows, '--labels', 'a "x",b,c', '--format', 'csv').out.split('\n');
    assert.equal(csv[0], 'row,label,probability');
    const label = ['"a ""x"""', 'b', 'c'][best[0]];
    assert.equal(csv[1], `1,${label},${Math.max(...outputs[0])}`);
  });

  test('of each step, and of one output that is a probability', async () => {
    const saved = async (name, ...more) => {
      const made = new mf.Sequential([mf.Input({ shape: [2, 1] }), ...more]);
      await made.save(path(name));
      return path(name);
    };
    const data = write('steps.json', '[[[1], [2]], [[-3], [4]]]');
    const softmax = mf.layers.dense({ units: 2, activation: 'softmax' });
    const steps = await saved('steps.keras', softmax);
    const made = JSON.parse(
      succeed(['run', steps, '-i', data, '--labels', 'a,b', '--format', 'json']).out,
    );
    assert.deepEqual(
      made.map(({ row, step }) => [row, step]),
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
    const one = { units: 1, useBias: false, kernelInitializer: 'ones' };
    const sigmoid = await saved(
      'one.keras',
      flat,
      mf.layers.dense({ ...one, activation: 'sigmoid' }),
    );
    const said = succeed(['run', sigmoid, '-i', data, '--labels', 'no,yes', '--format', 'json']);
    const [first, second] = JSON.parse(said.out);
    assert.equal(first.label, 'yes');
    assert.ok(Math.abs(first.probability - 1 / (1 + Math.exp(-3))) < 1e-6);
    assert.ok(Math.abs(second.probability - 1 / (1 + Math.exp(-1))) < 1e-6);
    const negative = write('negative.json', '[[[-3], [1]]]');
    const [no] = JSON.parse(
      succeed(['run', sigmoid, '-i', negative, '--labels', 'no,yes', '--format', 'json']).out,
    );
    assert.equal(no.label, 'no');
    assert.ok(Math.abs(no.probability - 1 / (1 + Math.exp(-2))) < 1e-6);
    const linear = await saved('linear.keras', mf.layers.flatten(), mf.layers.dense(one));
    fail(
      ['run', linear, '-i', data, '--labels', 'no,yes'],
      1,
      /an output is 3, which is no probability/,
    );
  });

  test('refuses labels that do not fit', () => {
    const bad = (labels, code, message, ...more) =>
      fail(['run', lstm, '-i', rows, '--labels', labels, ...more], code, message);
    bad('a,b', 1, /the model has 3 outputs a row, but there are only 2 labels/);
    bad('a,b,c,d', 1, /3 outputs a row, but there are 4 labels/);
    bad('a,,c', 2, /label 2 of --labels is empty/);
    bad(path('none.txt'), 1, /none\.txt: there is no such file/);
    bad(write('gap.txt', 'a\n\nc\n'), 2, /label 2 of 'gap\.txt' is empty/);
    bad(write('empty.txt', ''), 2, /label 1 of 'empty\.txt' is empty/);
    bad(
      'a,b,c',
      2,
      /--labels gives words, which npy does not hold; use json or csv/,
      '--format',
      'npy',
    );
    bad('a,b,c', 2, /the format 'txt' is unknown; there are json, csv:/, '-o', 'x.txt');
    const two = fixtures('multi_output.keras');
    const recorded = fixtures('multi_output.io.json');
    fail(
      ['run', two, '-i', recorded, '--labels', 'a,b'],
      2,
      /names one output, but the model has 3/,
    );
  });

  test('refuses outputs that are no numbers', async () => {
    const made = new mf.Sequential([mf.Input({ shape: [2] }), mf.layers.dense({ units: 2 })]);
    await made.save(path('plain.keras'));
    const data = write('nan.csv', '1,nan\n');
    fail(['run', path('plain.keras'), '-i', data, '--labels', 'a,b'], 1, /an output is NaN/);
  });
});

// SPDX-License-Identifier: MIT
// `maskflow run` reads rows one after the other: formats, columns, bad rows.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as arrow from 'apache-arrow';
import * as mf from '../../dist/index.js';
import { fail, fixtures, scratch, succeed } from '../support/command.js';
import { internals } from '../support/internals.js';
import { tryNode } from '../support/programs.js';
import { textModelFile } from '../support/text_layers.js';

const { readNpy, writeNpy } = await internals('formats/numpy/npy.ts');
await mf.ready({ onMaskDropped: 'silent' });
const { path, write } = scratch();
const lstm = fixtures('seq_embed_lstm.keras');
const model = await mf.loadModel(lstm);

/** Rows of six ids, and what the model predicts for them. */
const rows = Array.from({ length: 75 }, (_, i) =>
  Array.from({ length: 6 }, (_, k) => (i * 7 + k * 5) % 12),
);
const predicted = model.predict(mf.tensor(rows, { dtype: 'int32' })).array();
const near = (actual, expected = predicted) => {
  assert.equal(actual.length, expected.length);
  for (const [i, row] of expected.entries()) {
    if (row === null) assert.equal(actual[i], null);
    else for (const [k, value] of row.entries()) assert.ok(Math.abs(actual[i][k] - value) < 1e-6);
  }
};
const linesOf = (text) => text.trimEnd().split('\n');
const jsonLines = (text) => linesOf(text).map((line) => JSON.parse(line));
const toLines = (values) => `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;
const runs = (input, ...more) => succeed(['run', lstm, '-i', input, ...more]);
const refuses = (input, message, ...more) => fail(['run', lstm, '-i', input, ...more], 1, message);

suite('JSON lines', () => {
  const arrays = write('arrays.jsonl', toLines(rows));
  const keyed = rows.map((row, i) => ({ user: `u${i}`, x: row, nested: { i } }));
  const objects = write('objects.jsonl', toLines(keyed));

  test('with an array on each line become JSON lines', () => {
    near(jsonLines(runs(arrays).out));
    near(JSON.parse(runs(arrays, '--format', 'json').out));
  });

  test('pass through all fields that the model does not read, or those of --id', () => {
    const results = jsonLines(runs(objects, '--columns', 'x').out);
    near(results.map(({ output }) => output));
    assert.deepEqual(results[7].nested, { i: 7 });
    assert.deepEqual(Object.keys(results[7]), ['user', 'nested', 'output']);
    const [first] = jsonLines(runs(objects, '--columns', 'x', '--id', 'user').out);
    assert.deepEqual(Object.keys(first), ['user', 'output']);
    const csv = linesOf(runs(objects, '--columns', 'x', '--id', 'user', '--format', 'csv').out);
    assert.equal(csv[0], 'user,output_1,output_2,output_3');
    assert.match(csv[8], /^u7,0\.\d+,/);
    const one = write('one.jsonl', toLines(rows.map((ids, i) => ({ i, ids }))));
    near(jsonLines(runs(one, '--id', 'i').out).map(({ output }) => output));
  });

  test('may have a number in each field', () => {
    const split = rows.map(([a, b, c, d, e, f], i) => ({ f, e, d, c, b, a, key: i }));
    const results = jsonLines(
      runs(write('s.jsonl', toLines(split)), '--columns', 'a,b,c,d,e,f').out,
    );
    near(results.map(({ output }) => output));
    assert.equal(results[5].key, 5);
  });

  test('are recognised by their content; JSON is still JSON', () => {
    near(jsonLines(runs(write('lines.json', toLines(rows))).out));
    near(jsonLines(succeed(['run', lstm, '-i', '-'], { input: toLines(rows) }).out));
    near(JSON.parse(runs(write('array.json', JSON.stringify(rows))).out));
    near(JSON.parse(runs(write('indented.json', JSON.stringify(rows, null, 1))).out));
    const input = JSON.stringify(rows);
    near(jsonLines(succeed(['run', lstm, '-i', '-', '--input-format', 'json'], { input }).out)[0]);
  });

  test('skip empty lines, and accept NaN as Python writes it', async () => {
    near(
      jsonLines(runs(write('gaps.jsonl', `\n${toLines(rows).replace('\n', '\r\n\r\n')}\n`)).out),
    );
    const dense = new mf.Sequential([mf.Input({ shape: [2] }), mf.layers.dense({ units: 1 })]);
    await dense.save(path('dense.keras'));
    const data = write('nan.jsonl', '[1, NaN]\n[1, 2]\n');
    const { out } = succeed(['run', path('dense.keras'), '-i', data]);
    assert.deepEqual(jsonLines(out)[0], [null]);
  });

  test('name the inputs of a model with several', () => {
    const { inputs } = JSON.parse(readFileSync(fixtures('multi_input.io.json'), 'utf8'));
    const several = fixtures('multi_input.keras');
    const whole = succeed([
      'run',
      several,
      '-i',
      write('several.json', JSON.stringify({ inputs })),
    ]);
    const names = JSON.parse(succeed(['info', several, '--json']).out)
      .layers.filter(({ className }) => className === 'InputLayer')
      .map(({ name }) => name);
    const arrays = inputs.map(({ shape, dtype, data }) => {
      const numbers = typeof data === 'string' ? decodeNumbers(data, dtype) : data;
      return mf.tensor(Float64Array.from(numbers), { shape, dtype }).array();
    });
    const lines = arrays[0].map((_, i) =>
      Object.fromEntries(names.map((name, k) => [name, arrays[k][i]])),
    );
    const { out } = succeed(['run', several, '-i', write('several.jsonl', toLines(lines))]);
    near(jsonLines(out), JSON.parse(whole.out));
  });

  test('with a wrong value are named by line, field, content and key', () => {
    const bad = [...keyed.slice(0, 2), { user: 'u2', x: [1, 2, 3, 'y', 5, 6] }];
    refuses(
      write('bad.jsonl', toLines(bad)),
      /line 3, field 'x' at \[3\] of 'bad\.jsonl' \(user: u2\) is "y", but must be a number/,
      '--columns',
      'x',
    );
    refuses(write('cut.jsonl', '[1,2,3,4,5,6]\n[1,2'), /line 2 of 'cut\.jsonl' is not valid JSON/);
    refuses(
      write('two.jsonl', toLines([{ a: 1, b: 2 }])),
      /line 1 of 'two\.jsonl' has the fields a, b; choose the input with --columns/,
    );
    refuses(
      objects,
      /line 1 of 'objects\.jsonl' has no column 'usr' \(did you mean 'user'\?\); it has user, x, nested/,
      '--columns',
      'usr',
    );
    refuses(
      write('uneven.jsonl', '[1,2,3]\n[1,2]\n'),
      /line 2 of 'uneven\.jsonl' has 2 values, but the first row has 3; use --pad/,
    );
    refuses(write('empty.jsonl', '\n'), /'empty\.jsonl' is empty/);
  });
});

const types = { float32: Float32Array, int32: Int32Array, bool: Uint8Array };
const decodeNumbers = (text, dtype) =>
  new types[dtype](Uint8Array.from(Buffer.from(text, 'base64')).buffer);

suite('columns of CSV', () => {
  const table = rows.map((row, i) => [`user ${i}`, ...row, i / 8]);
  const heading = 'name,a,b,c,d,"e ""x""",f,weight';
  const csv = write('table.csv', `${heading}\n${table.map((row) => row.join()).join('\n')}\n`);
  const bare = write('bare.csv', `${table.map((row) => row.join(';')).join('\r\n')}\r\n`);

  test('are chosen by name, number and range; --id passes others through', () => {
    const forms = ['2-7', 'a,b,c,d,5-7', 'a,b-c,3-7', '"a",b,c,d,"e ""x""",f'];
    for (const columns of [forms[0], forms[3], 'a,3-6,f']) {
      const results = JSON.parse(runs(csv, '--columns', columns, '--id', 'name').out);
      near(results.map(({ output }) => output));
      assert.equal(results[9].name, 'user 9');
    }
    near(JSON.parse(runs(bare, '--columns', '2-7').out));
    const keyed = JSON.parse(runs(bare, '--id', '1,8', '--format', 'json').out);
    near(keyed.map(({ output }) => output));
    assert.deepEqual(Object.keys(keyed[0]), ['column_1', 'column_8', 'output']);
  });

  test('keep keys as they are, in quotes if needed', () => {
    const keys = ['"a, ""b"""', '007', '=1+1', ' x', '"two\nlines"', 'é'];
    const text = `key,${'abcdef'.split('').join()}\n${keys.map((key, i) => `${key},${rows[i]}`).join('\n')}\n`;
    const file = write('keys.csv', text);
    const values = JSON.parse(runs(file, '--id', 'key').out).map(({ key }) => key);
    assert.deepEqual(values, ['a, "b"', '007', '=1+1', ' x', 'two\nlines', 'é']);
    const { out } = runs(file, '--id', 'key', '--format', 'csv');
    assert.match(out, /^key,output_1,output_2,output_3\n"a, ""b""",0\.\d+.*\n007,0.*\n=1\+1,/);
    assert.match(out, /\n"two\nlines",0\./);
  });

  test('have a heading if --header says so', () => {
    const numbers = write(
      'years.csv',
      `1990,1991,1992,1993,1994,1995\n${rows.map(String).join('\n')}`,
    );
    near(JSON.parse(runs(numbers, '--header').out));
    const words = write('words.csv', `nan,nan,nan,nan,nan,nan\n${rows[0]}\n`);
    refuses(
      words,
      /row 1, column 1 of 'words\.csv' is 'nan', but must be an integer/,
      '--no-header',
    );
    refuses(csv, /row 1, column 1 of 'table\.csv' is 'name'/, '--no-header');
    fail(['run', lstm, '-i', csv, '--header', '--no-header'], 2, /cannot both be true/);
  });

  test('that do not exist are named', () => {
    refuses(
      csv,
      /'table\.csv' has no column 'nme' \(did you mean 'name'\?\); it has name, a/,
      '--id',
      'nme',
    );
    refuses(csv, /'table\.csv' has 8 columns, so '9' is not in it/, '--columns', '9');
    refuses(csv, /'table\.csv' has 8 columns, so '7-3' is not in it/, '--columns', '7-3');
    refuses(bare, /has no heading with the name 'a'/, '--columns', 'a', '--no-header');
    fail(['run', lstm, '-i', csv, '--id', ','], 2, /--id is ',' but must be a list of names/);
    fail(['run', lstm, '-i', csv, '--id', 'name', '-o', path('x.npy')], 2, /npy cannot contain/);
  });

  test('are refused for data that is read as a whole', () => {
    const json = write('whole.json', JSON.stringify(rows));
    fail(['run', lstm, '-i', json, '--id', 'a'], 2, /not possible with data in the format json/);
    fail(
      ['run', fixtures('multi_input.keras'), '-i', csv],
      1,
      /a table has the values of one input, but the model has 2; use JSON lines/,
    );
  });

  test('are padded row by row if the length is known', () => {
    const ragged = write('ragged.csv', 'id,a,b,c\nu1,1,2,3\nu2,4,,\n');
    const results = JSON.parse(runs(ragged, '--id', 'id', '--maxlen', '2').out);
    const expected = model
      .predict(
        mf.tensor(
          [
            [2, 3],
            [0, 4],
          ],
          { dtype: 'int32' },
        ),
      )
      .array();
    near(
      results.map(({ output }) => output),
      expected,
    );
    const { err } = runs(ragged, '--id', 'id', '--maxlen', '2');
    assert.equal(
      err,
      'maskflow: note: 1 of 2 rows are longer than 2 and were cut at the beginning\n',
    );
  });
});

suite('--on-error', () => {
  const text = rows.map((row, i) => `u${i},${i === 40 ? '1,2,x,4,5,6' : row}`).join('\n');
  const file = write('bad.csv', `user,a,b,c,d,e,f\n${text}\n`);
  const place = /row 42, column 4 \('c'\) of 'bad\.csv' \(user: u40\) is 'x', but must be a number/;
  const run = (input, choice, ...more) =>
    runs(input, '--id', 'user', '--on-error', choice, ...more);

  test('stop: rows before the bad one are written', () => {
    const result = tryNode([
      fileURLToPath(new URL('../../dist/cli.js', import.meta.url)),
      'run',
      lstm,
      '-i',
      file,
      '--id',
      'user',
      '--format',
      'jsonl',
    ]);
    assert.equal(result.status, 1);
    assert.match(result.stderr.toString(), place);
    assert.ok(linesOf(result.stdout.toString()).length <= 40);
    refuses(file, place, '--id', 'user', '--batch-size', '0');
  });

  test('skip: the row is left out, and the number of such rows is printed', () => {
    const { out, err } = run(file, 'skip', '--format', 'jsonl');
    const results = jsonLines(out);
    assert.ok(results.every(({ user }) => user !== 'u40'));
    near(
      results.map(({ output }) => output),
      predicted.toSpliced(40, 1),
    );
    assert.match(err, /^maskflow: note: 1 of 75 rows were skipped; the first: row 42, /);
  });

  test('null: the row stays in its place in every format', () => {
    const { out, err } = run(file, 'null', '--format', 'jsonl');
    near(
      jsonLines(out).map(({ output }) => output),
      predicted.with(40, null),
    );
    assert.match(err, /^maskflow: note: 1 of 75 rows have no prediction; the first: row 42, /);
    const columns = ['--columns', '2-7', '--on-error', 'null'];
    const array = succeed(['run', lstm, '-i', file, ...columns, '--format', 'npy'], {
      binary: true,
    });
    const { shape, data } = readNpy(array.out);
    assert.deepEqual(shape, [75, 3]);
    assert.ok(data.slice(120, 123).every(Number.isNaN) && !data.slice(123).some(Number.isNaN));
    const csv = linesOf(runs(file, ...columns, '--format', 'csv').out);
    assert.equal(csv[40], ',,');
    const labels = linesOf(run(file, 'null', '--labels', 'a,b,c', '--format', 'csv').out);
    assert.equal(labels[41], 'u40,41,,');
  });

  test('a value that the model refuses is that of its row', () => {
    const wrong = rows.map((row, i) => ({
      user: `u${i}`,
      x: i === 13 ? [1, 99, 3, 4, 5, 6] : row,
    }));
    const lines = write('wrong.jsonl', toLines(wrong));
    refuses(lines, /line 14 of 'wrong\.jsonl' \(user: u13\): .*99/, '--columns', 'x');
    const { out } = run(lines, 'null', '--columns', 'x');
    near(
      jsonLines(out).map(({ output }) => output),
      predicted.with(13, null),
    );
    const { err } = run(lines, 'skip', '--columns', 'x', '-b', '7');
    assert.match(err, /1 of 75 rows were skipped/);
    const half = write(
      'half.jsonl',
      toLines([
        [1, 2, 3],
        [1, 2.5, 3],
      ]),
    );
    refuses(half, /line 2 of 'half\.jsonl': .*2\.5, not an int32/);
  });

  test('rows that are all bad leave an empty output', () => {
    const all = write('all.jsonl', '[1,"x"]\n["y"]\n');
    assert.equal(runs(all, '--on-error', 'skip', '--format', 'json').out, '[]\n');
    assert.equal(runs(all, '--on-error', 'null').out, 'null\nnull\n');
    fail(['run', lstm, '-i', all, '--on-error', 'no'], 2, /--on-error is 'no' but must be stop or/);
  });
});

suite('.npy', () => {
  const array = (dtype, Class) => writeNpy([75, 6], dtype, Class.from(rows.flat()));
  const file = write('rows.npy', array('int32', Int32Array));

  test('is read and written row by row, from files and pipes', () => {
    near(JSON.parse(runs(file).out));
    const piped = succeed(['run', lstm, '-i', '-'], { input: readFileSync(file) });
    near(JSON.parse(piped.out));
    near(JSON.parse(runs(write('floats.npy', array('float32', Float32Array))).out));
    runs(file, '-o', path('out.npy'), '-b', '4');
    const { shape, data } = readNpy(readFileSync(path('out.npy')));
    assert.deepEqual(shape, [75, 3]);
    near(predicted.map((_, i) => Array.from(data.subarray(i * 3, i * 3 + 3))));
  });

  test('in Fortran order and without rows is read as a whole', () => {
    const turned = rows[0].flatMap((_, k) => rows.map((row) => row[k]));
    const bytes = Buffer.from(writeNpy([75, 6], 'int32', Int32Array.from(turned)));
    const fortran = Buffer.from(bytes.toString('latin1').replace('False', 'True '), 'latin1');
    near(JSON.parse(runs(write('fortran.npy', fortran)).out));
    const none = write('none.npy', writeNpy([0, 6], 'int32', new Int32Array(0)));
    assert.equal(runs(none).out, '[]\n');
    runs(none, '-o', path('none-out.npy'));
    assert.deepEqual(readNpy(readFileSync(path('none-out.npy'))).shape, [0, 3]);
  });

  test('that is cut short or too long is refused', () => {
    const bytes = readFileSync(file);
    const message = /needs 1800 bytes, but has 17\d\d/;
    refuses(write('short.npy', bytes.subarray(0, -7)), message);
    refuses(write('long.npy', Buffer.concat([bytes, bytes])), /needs 1800 bytes, but has/);
    const input = bytes.subarray(0, -7);
    const result = tryNode(
      [fileURLToPath(new URL('../../dist/cli.js', import.meta.url)), 'run', lstm, '-i', '-'],
      { input },
    );
    assert.equal(result.status, 1);
    assert.match(result.stderr.toString(), message);
  });
});

suite('Arrow', () => {
  const columns = {
    key: arrow.vectorFromArray(
      rows.map((_, i) => `u${i}`),
      new arrow.Utf8(),
    ),
    big: arrow.vectorFromArray(
      rows.map((_, i) => BigInt(i) * 10n),
      new arrow.Int64(),
    ),
    ids: arrow.vectorFromArray(
      rows,
      new arrow.FixedSizeList(6, new arrow.Field('item', new arrow.Int32())),
    ),
  };
  const table = new arrow.Table(columns);
  const stream = write('rows.arrows', arrow.tableToIPC(table, 'stream'));
  const file = write('rows.arrow', arrow.tableToIPC(table, 'file'));
  const options = ['--columns', 'ids', '--id', 'key,big'];

  test('streams and files are read; lists and numbers are rows', () => {
    for (const each of [stream, file]) {
      const results = JSON.parse(runs(each, ...options).out);
      near(results.map(({ output }) => output));
      assert.deepEqual([results[3].key, results[3].big], ['u3', 30]);
      const piped = succeed(['run', lstm, '-i', '-', ...options], { input: readFileSync(each) });
      assert.deepEqual(JSON.parse(piped.out), results);
    }
    const numbers = Object.fromEntries(
      rows[0].map((_, k) => [`c${k}`, Int32Array.from(rows, (row) => row[k])]),
    );
    const split = write('split.arrow', arrow.tableToIPC(arrow.tableFromArrays(numbers), 'file'));
    near(JSON.parse(runs(split).out));
  });

  test('is written with the types of columns that pass through', () => {
    for (const more of [
      ['-o', path('out.arrow')],
      ['-o', path('out.arrows')],
      ['--format', 'arrow'],
    ]) {
      const result = succeed(['run', lstm, '-i', file, ...options, ...more], { binary: true });
      const bytes = more[0] === '-o' ? readFileSync(more[1]) : result.out;
      const read = arrow.tableFromIPC(bytes);
      assert.equal(
        String(read.schema),
        'Schema<{ 0: key: Utf8, 1: big: Int64, 2: output: FixedSizeList[3]<Float32> }>',
      );
      near(Array.from(read.getChild('output'), (row) => Array.from(row)));
      assert.equal(read.getChild('big').get(74), 740n);
      assert.equal(read.getChild('key').get(74), 'u74');
    }
  });

  test('with a missing value is named by its row and column', () => {
    const gap = { id: ['a', 'b'], x: arrow.vectorFromArray([1, null], new arrow.Float64()) };
    const bytes = arrow.tableToIPC(
      new arrow.Table({ id: arrow.vectorFromArray(gap.id), x: gap.x }),
    );
    refuses(
      write('gap.arrow', bytes),
      /row 2, column 'x' of 'gap\.arrow' \(id: b\) is null, but must be a number/,
      '--id',
      'id',
    );
    refuses(write('cut.arrow', readFileSync(file).subarray(0, 200)), /'cut\.arrow'/);
  });

  test('needs apache-arrow, and the message says how to install it', () => {
    const folder = path('alone');
    mkdirSync(folder);
    cpSync(new URL('../../dist', import.meta.url), `${folder}/dist`, { recursive: true });
    cpSync(new URL('../../package.json', import.meta.url), `${folder}/package.json`);
    const result = tryNode([`${folder}/dist/cli.js`, 'run', lstm, '-i', file], { cwd: folder });
    assert.equal(result.status, 1);
    assert.match(
      result.stderr.toString(),
      /needs the library apache-arrow; install it with: npm install/,
    );
  });
});

suite('columns of text', () => {
  const texts = write('texts.keras', textModelFile());
  const data = ['the cat sat', 'a dog, far off', 'on "a" mat'];
  const lines = write('texts.txt', `${data.join('\n')}\n`);
  const expected = JSON.parse(succeed(['run', texts, '-i', lines]).out);
  const run = (file, ...more) => succeed(['run', texts, '-i', file, ...more]).out;

  test('are read by the layers of the model', () => {
    const cells = data.map((text, i) => `${i},"${text.replaceAll('"', '""')}"`);
    const csv = write('texts.csv', `id,review\n${cells.join('\n')}\n`);
    const results = JSON.parse(run(csv, '--columns', 'review', '--id', 'id'));
    near(
      results.map(({ output }) => output),
      expected,
    );
    assert.deepEqual(
      results.map(({ id }) => id),
      ['0', '1', '2'],
    );
    const objects = data.map((text, id) => ({ id, text }));
    const named = jsonLines(run(write('t.jsonl', toLines(objects))));
    near(
      named.map(({ output }) => output),
      expected,
    );
    const vector = arrow.vectorFromArray(data, new arrow.Utf8());
    const file = write('t.arrow', arrow.tableToIPC(new arrow.Table({ text: vector })));
    near(JSON.parse(run(file)), expected);
    const bad = write('bad.jsonl', toLines([{ text: 'a' }, { text: 5 }]));
    fail(['run', texts, '-i', bad], 1, /line 2 of 'bad\.jsonl'.* is 5, which is not text/);
  });
});

test('CSV has numbers that are not finite as the words that it reads', async () => {
  const { dense } = mf.layers;
  const one = new mf.Sequential([
    mf.Input({ shape: [1] }),
    dense({ units: 1, kernelInitializer: 'ones' }),
  ]);
  const file = path('ones.keras');
  await one.save(file);
  const cells = write('cells.csv', 'nan\ninf\n-inf\n0.5\n0.00000011920928955078125\n');
  const { out } = succeed(['run', file, '-i', cells, '--no-header', '--format', 'csv']);
  assert.equal(out, 'nan\ninf\n-inf\n0.5\n1.1920928955078125e-7\n');
});

// SPDX-License-Identifier: MIT
// `maskflow run` with threads that compute parts of a file writes the bytes of one thread.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { before, suite, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { Tokenizer } from '../../dist/text.js';
import { fixtures, program } from '../support/command.js';
import { countedThreads } from '../support/command_threads.js';
import { settings } from '../support/programs.js';
import { generator, integer, pick } from '../support/random.js';

const { folder, path, write, run } = countedThreads();
/** Size of a file that an explicit number of threads divides. */
const kBytes = 1.2e6;

before(async () => {
  await mf.ready({ seed: 1, onMaskDropped: 'silent' });
  const { dense, embedding, lstm } = mf.layers;
  const save = async (name, input, ...layers) => {
    writeFileSync(path(name), await new mf.Sequential([mf.Input(input), ...layers]).save());
  };
  const classes = dense({ units: 3, activation: 'softmax' });
  await save('dense', { shape: [3] }, classes);
  await save('steps', { shape: [3] }, embedding({ inputDim: 9, outputDim: 4 }), lstm({ units: 4 }));
  const each = lstm({ units: 3, returnSequences: true });
  await save('sequence', { shape: [3] }, embedding({ inputDim: 9, outputDim: 4 }), each);
  await save('stateful', { batchShape: [8, 3, 1] }, lstm({ units: 2, stateful: true }));
  const x = mf.Input({ shape: [3] });
  const outputs = mf.ops.subtract(x, mf.ops.mean(x, { axis: 0, keepdims: true }));
  writeFileSync(path('centred'), await new mf.Model({ inputs: x, outputs }).save());
  const words = embedding({ inputDim: 60, outputDim: 3, maskZero: true });
  await save('words', { shape: [5], dtype: 'int32' }, words, lstm({ units: 2 }));
  const tokenizer = new Tokenizer({ oovToken: '<OOV>' });
  tokenizer.fitOnTexts(['the movie was good', 'what a film, the best!']);
  write('tokenizer.json', JSON.stringify(tokenizer));
});

const filler = 'x'.repeat(120);
const tfjs = fixtures('../tfjs/sequential_lstm/model.json');

/** A file of lines until it is large enough; `line` returns the text of a line. */
function file(name, line, { heading = '', bytes = kBytes, end = '\n' } = {}) {
  const lines = heading === '' ? [] : [heading];
  for (let length = 0; length < bytes; ) {
    const text = line(lines.length);
    lines.push(text);
    length += text.length + end.length;
  }
  return write(name, lines.join(end) + end);
}

const csvRow = (i) => `u${i}${filler},${i % 7},${(i * 3) % 8},${(i % 50) / 10}`;
const idRow = (i) => `u${i}${filler},${i % 7},${(i * 3) % 8},${i % 5}`;
const jsonRow = (i) =>
  JSON.stringify({ user: `u${i}${filler}`, big: i * 1e15, input: [i % 7, (i * 3) % 8, i % 5] });

/** Asserts that several threads write what one does; returns the result of several. */
async function same(args, variables = {}) {
  const all = args.map((arg) => (arg in models ? path(arg) : arg));
  const [one, several] = await Promise.all([
    run([...all, '--threads', '1']),
    run([...all, '--threads', '3'], { WAIT: '150', ...variables }),
  ]);
  const what = args.join(' ');
  assert.equal(one.threads, 0);
  assert.equal(several.err, one.err, what);
  assert.equal(several.code, one.code, what);
  // Standard output has the rows before an error in pieces of any size.
  if (one.code === 0) assert.ok(several.out === one.out, `${what}: the bytes differ`);
  else assert.ok(one.out.startsWith(several.out) || several.out.startsWith(one.out));
  return several;
}
const models = { centred: 1, dense: 1, steps: 1, sequence: 1, stateful: 1, words: 1 };

suite('threads of maskflow run that compute parts', () => {
  test('are started, and compute parts', async () => {
    const input = file('used.csv', csvRow, { bytes: 2.5e6 });
    const { threads, messages } = await same(
      ['dense', '-i', input, '--id', '1', '--format', 'jsonl'],
      {
        WAIT: '2000',
      },
    );
    assert.equal(threads, 2);
    assert.ok(messages > 3, `${messages} messages`);
  });

  test('write the bytes of one thread', async () => {
    const quoted = (i) => `"u ""${i}""\n${filler}",${i % 7},"${i % 8}", "3"`;
    const returns = { end: '\r\n', heading: 'key,a,b,c' };
    const wide = (i) => `é${i}→${filler}日本,${i % 7},1,${i % 3}`;
    const texts = (i) => `the movie ${i} was ${['good', 'bad', 'a film'][i % 3]}, ${filler}`;
    const csv = file('plain.csv', csvRow);
    const jsonl = file('rows.jsonl', jsonRow);
    const noEnd = write('open.csv', `${csvRow(1)}\n`.repeat(9000) + csvRow(2));
    const scores = ['--labels', `no,maybe,${'yes'.repeat(100)}`];
    const words = ['words', '-i', file('texts.txt', texts), '--tokenizer', path('tokenizer.json')];
    const all = [
      ['dense', '-i', csv, '--id', '1'],
      ['dense', '-i', csv, '--id', '1', '--format', 'csv'],
      ['dense', '-i', csv, '--id', '1', '--format', 'csv', ...scores],
      ['dense', '-i', csv, '--id', '1', ...scores],
      ['sequence', '-i', file('ids.csv', idRow), '--id', '1', '--format', 'jsonl', ...scores],
      ['sequence', '-i', path('ids.csv'), '--id', '1', '--format', 'csv', ...scores],
      ['steps', '-i', file('heading.csv', idRow, returns), '--id', 'key', '--columns', 'c,a,b'],
      ['dense', '-i', file('quoted.csv', quoted), '--id', '1', '--format', 'csv'],
      ['dense', '-i', file('wide.csv', wide, { heading: '\ufeff"ké",a,b,c' }), '--id', 'ké'],
      ['dense', '-i', noEnd, '--id', '1', '--batch-size', '5'],
      ['steps', '-i', jsonl],
      ['steps', '-i', jsonl, '--id', 'big,user', '--format', 'csv'],
      words,
      [...words, '--format', 'csv', '--pad', '--padding', 'post'],
    ];
    for (const args of all) assert.ok((await same(args)).threads > 0, args.join(' '));
  });

  test('pad and cut rows, and count those that were cut', async () => {
    const ragged = (i) => `u${i}${filler}${',1'.repeat(1 + ((i + 6) % 7))}`;
    const input = file('ragged.csv', ragged);
    const args = ['steps', '-i', input, '--id', '1', '--no-header', '--maxlen', '3', '-q'];
    const { err } = await same([...args, '--format', 'jsonl']);
    assert.match(err, /^maskflow: note: \d{4} of \d{4} rows are longer than 3/);
  });

  test('leave the file of the output as it was after an error', async () => {
    const input = file('late.csv', (i) => (i === 7000 ? 'u,1,x,3' : csvRow(i)));
    const output = write('old.csv', 'old');
    await same(['dense', '-i', input, '--id', '1', '-o', output, '--force']);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('old')),
      ['old.csv'],
    );
  });
});

suite('bad rows in parts', () => {
  const places = [3, 2500, 8990];
  const bad = [
    ['a cell', (i) => (i % 2 ? 'u,1,x,3' : 'u,1,,3')],
    ['the number of cells', () => 'u,1,2'],
    ['an id that the model lacks', () => 'u,1,2,11'],
  ];
  for (const [index, [title, row]] of bad.entries()) {
    test(`are reported as one thread does: ${title}`, async () => {
      const rows = (places) => (i) => (places.includes(i) ? row(i) : idRow(i));
      const options = ['--id', '1', '--no-header', '-q', '--format'];
      const place = places[index];
      const only = ['steps', '-i', file('bad.csv', rows([place])), ...options, 'jsonl'];
      assert.match((await same(only)).err, new RegExp(`row ${place + 1}\\b`));
      const all = ['steps', '-i', file('all.csv', rows(places.slice(1))), ...options];
      const { err } = await same([...all, 'jsonl', '--on-error', 'skip']);
      assert.match(err, /note: 2 of .*row 2501\b/);
      await same([...all, 'csv', '--on-error', 'null']);
    });
  }

  test('name the line that is not UTF-8, and that has a NUL', async () => {
    const lines = (byte) => {
      const bytes = Buffer.from(Array.from({ length: 9000 }, (_, i) => `${csvRow(i)}\n`).join(''));
      bytes[bytes.length - 5000] = byte;
      return bytes;
    };
    for (const byte of [0xff, 0]) {
      const input = write('bytes.csv', lines(byte));
      const { code } = await same(['dense', '-i', input, '--id', '1', '--format', 'jsonl', '-q']);
      assert.equal(code, 1);
    }
  });

  test('do not shift labels behind empty lines', async () => {
    const rows = (i) => (i % 997 === 0 ? ['', '  ', '""'][i % 3] : csvRow(i));
    const args = ['--id', '1', '--format', 'csv', '--labels', 'a,b,c', '--no-header'];
    await same(['dense', '-i', file('gaps.csv', rows), ...args]);
    const strange = (i) => (i % 997 === 5 ? '"  "' : csvRow(i));
    await same(['dense', '-i', file('gaps.csv', strange), ...args]);
  });
});

suite('threads that fail', () => {
  const args = () => [
    'dense',
    '-i',
    file('loss.csv', csvRow, { bytes: 2.5e6 }),
    '--id',
    '1',
    '--format',
    'csv',
  ];

  test('leave their parts to the main thread', async () => {
    for (const END_AT of ['1', '3', '4']) await same(args(), { END_AT });
    for (const FAIL_AT of ['0', '1']) await same(args(), { FAIL_AT });
    await same(args(), { HEAP: '4' });
  });

  test('are not used if the model is another file by then', async () => {
    const { dense } = mf.layers;
    const other = new mf.Sequential([mf.Input({ shape: [3] }), dense({ units: 3 })]);
    const replace = `import { writeFileSync } from 'node:fs';
      const { Worker } = process.getBuiltinModule('node:worker_threads');
      process.getBuiltinModule('node:worker_threads').Worker = class extends Worker {
        constructor(...args) {
          writeFileSync(process.env.MODEL, Buffer.from(process.env.BYTES, 'base64'));
          super(...args);
        }
      };`;
    const BYTES = Buffer.from(await other.save()).toString('base64');
    write('changing', await import('node:fs').then((fs) => fs.readFileSync(path('dense'))));
    const [, ...rest] = args();
    const expected = await run([path('dense'), ...rest, '--threads', '1']);
    const hook = write('replace.mjs', replace);
    const variables = { MODEL: path('changing'), BYTES, WAIT: '600' };
    const options = { ...variables, NODE_OPTIONS: `--import ${hook}` };
    const { out, threads, messages } = await run(
      [path('changing'), ...rest, '--threads', '2'],
      options,
    );
    assert.ok(out === expected.out);
    assert.deepEqual([threads, messages], [1, 1]);
  });

  test('end with the reader of a pipe', { skip: process.platform === 'win32' }, async () => {
    const input = file('piped.csv', csvRow, { bytes: 8e6 });
    const all = [
      'run',
      path('dense'),
      '-i',
      input,
      '--id',
      '1',
      '--format',
      'csv',
      '--threads',
      '3',
    ];
    const child = spawn(process.execPath, [program, ...all], settings);
    let err = '';
    child.stderr.on('data', (data) => {
      err += data;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.on('exit', resolve));
    assert.deepEqual([code, err], [0, '']);
  });

  test('report a full disk', { skip: !existsSync('/dev/full') }, async () => {
    const { code, err } = await same([...args(), '-o', '/dev/full']);
    assert.equal(code, 1);
    assert.match(err, /the disk is full/);
  });
});

suite('one thread computes', () => {
  const cases = {
    'a small file': () => ['dense', '-i', file('small.csv', csvRow, { bytes: 5e5 }), '--id', '1'],
    'a stateful model': () => ['stateful', '-i', file('state.csv', (i) => `${i % 7},2,3`)],
    'a model whose rows depend on the others of their batch': () => [
      ...['centred', '-i', file('plain.csv', csvRow), '--id', '1'],
    ],
    'a model that may depend on other rows, which the first ones do not show': () => [
      ...['centred', '-i', file('alike.csv', (i) => (i < 64 ? `u${i},1,2,3` : csvRow(i)))],
      ...['--id', '1'],
    ],
    'a model.json, whose weights are other files': () => [
      ...[tfjs, '-i', file('tfjs.csv', (i) => `u${i}${filler},${i % 7},3,1,${i % 5},0`)],
      ...['--id', '1'],
    ],
    'an encoding that is not UTF-8': () => [
      ...['dense', '-i', file('plain.csv', csvRow), '--id', '1', '--encoding', 'latin1'],
    ],
    'labels with numbers of rows that are skipped': () => [
      ...['dense', '-i', file('plain.csv', csvRow), '--id', '1', '--on-error', 'skip'],
      ...['--labels', 'a,b,c', '--format', 'csv'],
    ],
    'all rows at once': () => ['dense', '-i', file('plain.csv', csvRow), '--id', '1', '-b', '0'],
  };
  for (const [title, args] of Object.entries(cases)) {
    test(`for ${title}`, async () => {
      // Helpers of a team send one message each: that they have arrived.
      const { threads, messages } = await same(args());
      assert.ok(messages <= threads);
    });
  }

  test('for a file of 5 MB with --threads auto, and for a pipe', async () => {
    const input = file('medium.csv', csvRow, { bytes: 5e6 });
    const args = ['-i', input, '--id', '1', '--format', 'csv', '--threads', 'auto'];
    assert.equal((await run([path('dense'), ...args])).threads, 0);
    const piped = [path('dense'), '-i', '-', ...args.slice(2)];
    const { threads } = await run(piped, {}, `${csvRow(1)}\n`.repeat(9000));
    assert.equal(threads, 0);
  });

  test('a row that is longer than a part', async () => {
    const long = (i) => (i === 4000 ? `${'y'.repeat(3e6)},1,2,3` : csvRow(i));
    await same(['dense', '-i', file('long.csv', long), '--id', '1', '--format', 'csv']);
  });

  test('the rest of a table behind a quote that nothing closes', async () => {
    const open = (i) => (i === 6000 ? `"u,1,2,3` : i % 900 === 0 ? `u "${i}",1,2,3` : csvRow(i));
    await same(['dense', '-i', file('quotes.csv', open), '--id', '1', '--format', 'csv']);
    const text = (i) => (i === 6000 ? `"u" v,1,2,3` : csvRow(i));
    await same(['dense', '-i', file('quotes.csv', text), '--id', '1', '--format', 'csv']);
  });
});

/** Draws a file and options. */
function draw(random) {
  const isTable = random() < 0.6;
  const hasQuotes = random() < 0.4;
  const badness = pick(random, [0, 0, 0.0005, 0.01]);
  const end = pick(random, ['\n', '\n', '\r\n']);
  const number = () =>
    random() < badness ? pick(random, ['', 'x', '-', '12', '1e99']) : integer(random, 0, 8);
  const key = (i) => {
    const text = `${i}${pick(random, ['', ' ', 'é', '日', ';', ' x '])}${filler}`;
    return isTable && hasQuotes && random() < 0.5
      ? `"${text}${pick(random, ['', ',', '\n', '""', '\r\n'])}"`
      : text;
  };
  const cells = (i) => [key(i), number(), number(), number()];
  const line = (i) => {
    if (random() < badness) return pick(random, ['', ' ', '1,2', '{', 'null', '[1,2]', '\t']);
    const [user, ...numbers] = cells(i);
    if (isTable) return [user, ...numbers].join();
    const extra = random() < 0.01 ? { more: i } : {};
    return JSON.stringify({ user, ...extra, input: numbers });
  };
  const heading = isTable && random() < 0.5 ? pick(random, ['key,a,b,c', '"key",a,"b",c']) : '';
  const bytes = integer(random, 1.05e6, 1.6e6);
  const input = file(isTable ? 'drawn.csv' : 'drawn.jsonl', line, { heading, bytes, end });
  if (random() < 0.3) appendFileSync(input, isTable ? 'u,1,2,3' : '{"input":[1,2,3],"user":1}');
  return [
    pick(random, ['dense', 'steps', 'sequence']),
    ...['-i', input, '-q', '--on-error', pick(random, ['stop', 'skip', 'null', 'null'])],
    ...(isTable ? ['--id', heading ? 'key' : '1'] : random() < 0.5 ? ['--id', 'user'] : []),
    ...(random() < 0.3 ? ['--pad', '--maxlen', String(integer(random, 2, 4))] : []),
    ...(random() < 0.3 ? ['--labels', 'a,b,c'] : []),
    ...['--batch-size', pick(random, ['1', '7', '32', '100'])],
    ...(random() < 0.8 ? ['--format', pick(random, ['csv', 'jsonl', 'json'])] : []),
  ];
}

test('parts of random files, with random options, have the bytes of one thread', async () => {
  const seed = Number(process.env.PARTS_SEED ?? 1);
  const count = Number(process.env.PARTS_COUNT ?? 20);
  let used = 0;
  for (let i = 0; i < count; i++) {
    const args = draw(generator(seed + i));
    try {
      used += Math.sign((await same(args)).messages);
    } catch (error) {
      error.message = `seed ${seed + i}: ${error.message}`;
      throw error;
    }
  }
  assert.ok(used >= count / 4, `${used} of ${count} files in parts`);
});

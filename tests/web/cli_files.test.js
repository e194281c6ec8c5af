// SPDX-License-Identifier: MIT
// Files that the command reads and writes: none is lost, and what passes through stays as it is.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { suite, test } from 'node:test';
import * as arrow from 'apache-arrow';
import { fail, fixtures, maskflow, program, scratch, succeed } from '../support/command.js';

const { folder, path, write } = scratch();
const lstm = fixtures('seq_embed_lstm.keras');
const row = '1,2,3,4,5,6\n';
const run = (...more) => ['run', lstm, ...more];
const hasShell = process.platform !== 'win32';
const shell = (text) => spawnSync('bash', ['-c', text], { encoding: 'utf8', cwd: folder });
const command = `'${process.execPath}' '${program}' run '${lstm}'`;
const leftovers = () => readdirSync(folder).filter((name) => name.startsWith('.maskflow-'));
const jsonLines = (text) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

suite('an output of maskflow run', () => {
  test('replaces a file only with --force, also the input, under each of its names', () => {
    const names = ['data.csv', 'link.csv', 'hard.csv'];
    for (const output of names) {
      const data = write('data.csv', row.repeat(300));
      for (const name of names.slice(1)) spawnSync('rm', ['-f', path(name)]);
      symlinkSync('data.csv', path('link.csv'));
      linkSync(data, path('hard.csv'));
      chmodSync(data, 0o640);
      const args = run('-i', data, '-o', path(output));
      fail(args, 1, /already exists; use --force to replace it/);
      assert.equal(readFileSync(data, 'utf8'), row.repeat(300));
      succeed([...args, '-f']);
      const lines = readFileSync(path(output), 'utf8').trimEnd().split('\n');
      assert.equal(lines.length, 300, output);
      assert.match(lines[299], /^0\.\d+,0\.\d+,0\.\d+$/);
      if (hasShell) assert.equal(statSync(path(output)).mode & 0o777, 0o640);
      if (output === 'hard.csv') assert.equal(readFileSync(data, 'utf8'), row.repeat(300));
    }
    assert.deepEqual(leftovers(), []);
  });

  test('is refused before anything is read, if a shell appends it to the input', {
    skip: !hasShell,
  }, () => {
    const data = write('appended.csv', row);
    for (const input of [
      '-i appended.csv',
      '-i - < appended.csv',
      '-i /dev/stdin < appended.csv',
    ]) {
      for (const more of ['', '-o /dev/stdout --format csv']) {
        const { status, stderr } = shell(`${command} ${input} ${more} >> appended.csv`);
        assert.equal(status, 1);
        assert.match(stderr, /the output is the file that is read; write to another file/);
        assert.equal(readFileSync(data, 'utf8'), row);
      }
    }
  });

  test('may be a pipe, a FIFO or a descriptor', { skip: !hasShell }, () => {
    write('in.csv', row);
    const expected = shell(`${command} -i in.csv --format csv`).stdout;
    assert.match(expected, /^0\.\d+,/);
    const all = [
      `${command} -i in.csv -o /dev/stdout --format csv | cat`,
      `${command} -i in.csv -o /dev/fd/3 --format csv 3>&1 >/dev/null`,
      `mkfifo fifo; ${command} -i in.csv -o fifo --format csv & cat fifo; wait`,
      `${command} -i in.csv -o >(cat) --format csv | cat`,
      `{ echo head; ${command} -i in.csv -o /dev/stdout --format csv; } > both.txt; tail -n +2 both.txt`,
    ];
    for (const text of all) assert.equal(shell(text).stdout, expected, text);
    const npy = spawnSync(
      'bash',
      ['-c', `${command} -i in.csv -o fifo --format npy & cat fifo; wait`],
      { cwd: folder },
    );
    assert.match(npy.stdout.toString('latin1'), /'shape': \(1, 3\)/);
  });

  test('stays as it was after an error, in every format', () => {
    const data = write('bad.csv', `${row.repeat(50)}1,2,3,4,5,x\n`);
    for (const format of ['csv', 'json', 'jsonl', 'npy', 'npz', 'arrow']) {
      const output = write(`old.${format}`, 'old');
      fail(
        run('-i', data, '-o', output, '-f', '-b', '8'),
        1,
        /row 51, column 6 of 'bad\.csv' is 'x'/,
      );
      assert.equal(readFileSync(output, 'utf8'), 'old');
      const output2 = path(`new.${format}`);
      fail(run('-i', data, '-o', output2, '-b', '8'), 1, /row 51/);
      assert.ok(!existsSync(output2));
    }
    assert.deepEqual(leftovers(), []);
  });

  test('is the old or the new file after kill -9, and the next run removes what is left', async () => {
    const data = write('much.csv', row.repeat(3000));
    const output = write('killed.csv', 'old\n');
    const results = new Set();
    for (let i = 0; i < 5; i++) {
      const child = spawn(
        process.execPath,
        [program, ...run('-i', '-', '-o', output, '-f', '-b', '50')],
        {
          stdio: ['pipe', 'ignore', 'inherit'],
        },
      );
      child.stdin.on('error', () => {});
      child.stdin.write(row.repeat(3000));
      while (leftovers().length <= 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, i * 10));
      child.kill('SIGKILL');
      await new Promise((resolve) => child.on('close', resolve));
      results.add(readFileSync(output, 'utf8'));
      assert.equal(leftovers().length, 1);
      // The next run removes it when it begins to write.
      succeed(run('-i', data, '-o', path('other.csv'), '-f'));
      assert.deepEqual(leftovers(), []);
    }
    assert.deepEqual([...results], ['old\n']);
  });
});

suite('fields that pass through', () => {
  const line = (fields) => `{${fields},"x":[1,2,3,4,5,6]}\n`;
  const x = ['--columns', 'x'];

  test('are the text that they were in JSON', () => {
    const fields = [
      '"id":9007199254740993',
      '"f":1.50',
      '"big":-0.10000000000000000555e3',
      '"text":"a\\u0041\\ud800 \\"é\\u2028"',
      '"nested":{"b": [1.0, 2e2, null],"a":"]}"}',
      '"none":null',
      '"1":true',
    ];
    const data = write('fields.jsonl', line(fields.join(',')).repeat(2));
    const [first] = succeed(run('-i', data, ...x)).out.split('\n');
    assert.ok(first.startsWith(`{${fields.join(',')},"output":[0.`), first);
    const { out } = succeed(run('-i', data, ...x, '--id', 'id,f,none,text', '--format', 'csv'));
    assert.ok(out.includes(`\n9007199254740993,1.50,,"aA\ufffd ""é\u2028",0.`), out);
  });

  test('are the 64-bit integers that they were in Arrow', () => {
    const table = new arrow.Table({
      signed: arrow.vectorFromArray([2n ** 63n - 1n, -(2n ** 63n)], new arrow.Int64()),
      unsigned: arrow.vectorFromArray([2n ** 64n - 1n, 2n ** 53n + 1n], new arrow.Uint64()),
      x: arrow.vectorFromArray(
        [
          [1, 2, 3, 4, 5, 6],
          [2, 3, 4, 5, 6, 7],
        ],
        new arrow.FixedSizeList(6, new arrow.Field('item', new arrow.Int32())),
      ),
    });
    const data = write('big.arrow', arrow.tableToIPC(table, 'file'));
    const args = run('-i', data, ...x, '--id', 'signed,unsigned');
    const lines = succeed([...args, '--format', 'jsonl']).out.split('\n');
    assert.ok(
      lines[0].startsWith('{"signed":9223372036854775807,"unsigned":18446744073709551615,'),
    );
    assert.ok(lines[1].startsWith('{"signed":-9223372036854775808,"unsigned":9007199254740993,'));
    const { out } = succeed([...args, '--format', 'csv']);
    assert.match(out, /\n9223372036854775807,18446744073709551615,0\./);
    const bytes = succeed([...args, '--format', 'arrow'], { binary: true }).out;
    const read = arrow.tableFromIPC(bytes);
    assert.deepEqual([...read.getChild('unsigned')], [2n ** 64n - 1n, 2n ** 53n + 1n]);
    assert.deepEqual([...read.getChild('signed')], [2n ** 63n - 1n, -(2n ** 63n)]);
  });

  test('become columns of Arrow without losing a digit', () => {
    const columnOf = (values, more = []) => {
      const data = write('to.jsonl', values.map((value) => line(`"k":${value}`)).join(''));
      const bytes = succeed(run('-i', data, ...x, '--format', 'arrow', ...more), {
        binary: true,
      }).out;
      const column = arrow.tableFromIPC(bytes).getChild('k');
      return [String(column.type), [...column]];
    };
    assert.deepEqual(columnOf(['1', '2.5', 'null']), ['Float64', [1, 2.5, null]]);
    assert.deepEqual(columnOf(['1', '9007199254740993']), ['Int64', [1n, 9007199254740993n]]);
    assert.deepEqual(columnOf(['1', '"a"', '18446744073709551615']), [
      'Utf8',
      ['1', 'a', '18446744073709551615'],
    ]);
  });

  test('keep quotes and blanks of cells', () => {
    const cells = ['"""x"""', '" y "', '"a,b"', '"a;b"', '"l\nm\r\nn"', 'plain', '', 'O\'Neil "Q"'];
    const text = `k,a,b,c,d,e,f\r\n${cells.map((cell) => `${cell},${row.trimEnd()}\r\n`).join('')}`;
    const args = run('-i', write('cells.csv', text), '--id', 'k');
    const keys = jsonLines(succeed([...args, '--format', 'jsonl']).out).map(({ k }) => k);
    assert.deepEqual(keys, ['"x"', ' y ', 'a,b', 'a;b', 'l\nm\r\nn', 'plain', '', 'O\'Neil "Q"']);
    succeed([...args, '-o', path('again.csv')]);
    const again = run(
      '-i',
      path('again.csv'),
      '--id',
      'k',
      '--columns',
      '2-4',
      '--format',
      'jsonl',
    );
    const numbers = jsonLines(maskflow([...again, '--on-error', 'null']).out);
    assert.deepEqual(
      numbers.map(({ k }) => k),
      keys,
    );
  });

  test('are not overwritten by predictions, and need names of their own', () => {
    const data = write('output.csv', `output,id,id,a,b,c,d,e,f\n7,1,2,${row}`);
    const args = run('-i', data, '--columns', '4-9', '--format', 'jsonl');
    fail([...args, '--id', 'output'], 2, /the field 'output' passes through.*--output-name/);
    const { out } = succeed([...args, '--id', 'output', '--output-name', 'score']);
    assert.ok(out.startsWith('{"output":"7","score":[0.'));
    fail(
      [...args, '--id', 'id'],
      1,
      /columns 2 and 3 of 'output\.csv' are both called 'id'; choose one by its number/,
    );
    fail([...args, '--id', '2,3'], 1, /only one of them can pass through; choose it with --id 2/);
    assert.match(succeed([...args, '--header', '--id', '2']).out, /^\{"id":"1","output"/);
    const lines = write('output.jsonl', line('"output":1'));
    fail(run('-i', lines, ...x), 2, /--output-name/);
    const label = write('label.jsonl', line('"label":1'));
    fail(
      run('-i', label, ...x, '--labels', 'a,b,c', '--format', 'jsonl'),
      2,
      /leave it out with --id/,
    );
  });

  test('are read in the encoding that --encoding names', () => {
    const text = 'k,a,b,c,d,e,f\nü,1,2,3,4,5,6\né,1,2,3,4,5,6\n';
    const latin1 = write('latin1.csv', Buffer.from(text, 'latin1'));
    const args = ['--id', 'k', '--format', 'jsonl'];
    fail(
      run('-i', latin1, ...args),
      1,
      /line 2 of 'latin1\.csv' is not valid UTF-8; name its encoding, for example --encoding latin1/,
    );
    const keys = (...more) => jsonLines(succeed(run(...more, ...args)).out).map(({ k }) => k);
    assert.deepEqual(keys('-i', latin1, '--encoding', 'latin1'), ['ü', 'é']);
    const utf16 = write('utf16.csv', Buffer.from(`\ufeff${text}`, 'utf16le'));
    assert.deepEqual(keys('-i', utf16, '--encoding', 'utf-16le'), ['ü', 'é']);
    fail(
      run('-i', utf16, ...args, '--encoding', 'nothing'),
      2,
      /--encoding is 'nothing' but must be/,
    );
    fail(run('-i', utf16, ...args), 1, /not valid UTF-8|neither UTF-8 text/);
  });
});

suite('bad rows', () => {
  test('are those that have not the length of the model, also the first one', () => {
    const { out, err } = succeed(
      run(
        '-i',
        write('first.csv', `1,2\n${row.repeat(2)}1\n`),
        '--on-error',
        'skip',
        '--format',
        'jsonl',
      ),
    );
    assert.equal(jsonLines(out).length, 2);
    assert.match(
      err,
      /2 of 4 rows were skipped; the first: row 1 of 'first\.csv' has 2 columns, but the model accepts 6/,
    );
    const lines = write('first.jsonl', `[1,2]\n[${row.trimEnd()}]\n`);
    const json = succeed(run('-i', lines, '--on-error', 'null'));
    assert.match(json.out, /^null\n\[0\./);
  });

  test('are lines that are nested too deeply', () => {
    const deep = `[${row.trimEnd()}]\n${'['.repeat(9000)}${']'.repeat(9000)}\n`;
    const data = write('deep.jsonl', deep);
    fail(
      run('-i', data, '-o', path('deep.json')),
      1,
      /line 2 of 'deep\.jsonl' is nested more than 150 levels deep/,
    );
    assert.equal(jsonLines(succeed(run('-i', data, '--on-error', 'skip')).out).length, 1);
  });

  test('are objects if the other rows are', () => {
    const good = '{"u":1,"x":[1,2,3,4,5,6]}\n';
    for (const text of [`{"u":\n${good}`, `${good}{"u":\n`]) {
      const args = run('-i', write('null.jsonl', text), '--columns', 'x', '--on-error', 'null');
      const rows = jsonLines(succeed(args).out);
      assert.ok(rows.some(({ u, output }) => u === 1 && output.length === 3));
      assert.ok(rows.some(({ output }) => output === null));
      const ids = jsonLines(succeed([...args, '--id', 'u']).out);
      assert.deepEqual(
        ids.find(({ output }) => output === null),
        { u: null, output: null },
      );
    }
  });
});

suite('the first line of a pipe', () => {
  /** Writes a line, and waits for its result before the input ends. */
  async function answers(text, ...more) {
    const child = spawn(process.execPath, [program, ...run('-i', '-', ...more)]);
    let out = '';
    child.stdout.on('data', (data) => {
      out += data;
    });
    child.stdin.write(text);
    while (!out.includes('\n')) {
      assert.equal(child.exitCode, null);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    child.stdin.end();
    await new Promise((resolve) => child.on('close', resolve));
    return jsonLines(out);
  }

  test('is answered before there is a second one', async () => {
    for (const [text, ...more] of [
      ['{"u":1,"x":[1,2,3,4,5,6]}\n', '--columns', 'x'],
      ['{"u":1,"input":[1,2,3,4,5,6]}\n'],
      ['[1,2,3,4,5,6]\n'],
      [row, '--format', 'jsonl'],
    ]) {
      assert.equal((await answers(text, ...more)).length, 1, text);
    }
  });

  test('is a row if it is alone and --columns names its fields; a batch stays a batch', () => {
    const input = '{"u":1,"x":[1,2,3,4,5,6]}';
    const { out } = succeed(run('-i', '-', '--columns', 'x'), { input });
    assert.equal(jsonLines(out)[0].u, 1);
    const batch = succeed(run('-i', '-'), { input: '[[1,2,3,4,5,6],[1,2,3,4,5,6]]\n' });
    assert.equal(JSON.parse(batch.out).length, 2);
  });
});

test('files of a model are replaced whole, in a folder that may be written', {
  skip: process.getuid?.() === 0 && 'an administrator may write into any folder',
}, () => {
  writeFileSync(path('model.keras'), 'old');
  chmodSync(folder, 0o500);
  try {
    fail(['convert', lstm, path('model.keras'), '-f'], 1, /permission denied/);
  } finally {
    chmodSync(folder, 0o700);
  }
  assert.equal(readFileSync(path('model.keras'), 'utf8'), 'old');
});

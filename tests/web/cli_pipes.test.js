// SPDX-License-Identifier: MIT
// `maskflow run` in pipes: results before the input ends, slow and impatient readers, full disks,
// memory.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as mf from '../../dist/index.js';
import { fail, fixtures, program, scratch, succeed } from '../support/command.js';
import { settings } from '../support/programs.js';

const { folder, path, write } = scratch();
const lstm = fixtures('seq_embed_lstm.keras');
const hasShell = process.platform !== 'win32';

/** Starts the command; `end` resolves with its code, signal and output. */
function start(args, options = {}) {
  const child = spawn(process.execPath, [program, 'run', ...args], { ...settings, ...options });
  const output = { out: '', err: '' };
  child.stdin.on('error', () => {});
  child.stdout?.on('data', (text) => {
    output.out += text;
  });
  child.stderr?.on('data', (text) => {
    output.err += text;
  });
  const end = new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, ...output }));
  });
  const until = async (condition) => {
    while (!condition(output)) await sleep(10);
  };
  return { child, output, end, until };
}

const shell = (text) =>
  new Promise((resolve) => {
    const child = spawn('bash', ['-c', text], settings);
    const output = { out: '', err: '' };
    child.stdout.on('data', (data) => {
      output.out += data;
    });
    child.stderr.on('data', (data) => {
      output.err += data;
    });
    child.on('close', (code) => resolve({ code, ...output }));
  });
const command = `'${process.execPath}' '${program}' run`;

const row = '1,2,3,4,5,6\n';

suite('maskflow run in a pipe', () => {
  test('writes results before the input ends, even of one line', async () => {
    for (const format of ['jsonl', 'csv']) {
      const { child, output, end, until } = start([lstm, '-i', '-', '--format', format]);
      child.stdin.write(row);
      await until(({ out }) => out.includes('\n'));
      const first = output.out;
      child.stdin.write(`${row}${row}`);
      await until(({ out }) => out.split('\n').length === 4);
      child.stdin.end();
      const { code, out } = await end;
      assert.deepEqual([code, out], [0, first.repeat(3)]);
    }
  });

  test('computes the same whatever the pieces of its input', async () => {
    const more = ';4;5;6';
    const rows = [`1;"2";3${more}\r\n`.repeat(40), `4;5;"é"${more}\n`, `6;5;4${more}\n`.repeat(3)];
    const text = `"a";b;"c ""d""";e;f;g\n${rows.join('')}`;
    const bytes = Buffer.from(text);
    const { child, end } = start([lstm, '-i', '-', '--on-error', 'null', '--format', 'jsonl']);
    for (let from = 0; from < bytes.length; from += 7) {
      child.stdin.write(bytes.subarray(from, from + 7));
      if (from % 70 === 0) await sleep(1);
    }
    child.stdin.end();
    const { out, err } = await end;
    const whole = succeed([
      'run',
      lstm,
      '-i',
      write('whole.csv', text),
      '--on-error',
      'null',
      '--format',
      'jsonl',
    ]);
    assert.equal(out, whole.out);
    assert.equal(err.replace('standard input', "'whole.csv'"), whole.err);
    assert.match(err, /row 42, column 3 \('c "d"'\) of standard input is 'é'/);
  });

  test('ends without an error if the reader stops', { skip: !hasShell }, async () => {
    const { code, out, err } = await shell(
      `set -o pipefail; yes 1,2,3,4,5,6 | head -200000 | ${command} '${lstm}' -i - --format csv | head -1`,
    );
    assert.match(out, /^0\.\d+,0\.\d+,0\.\d+\n$/);
    assert.equal(err, '');
    assert.notEqual(code, 1);
  });

  test('works between zcat and gzip', { skip: !hasShell }, async () => {
    const { out, err } = await shell(
      `yes 1,2,3,4,5,6 | head -5000 | gzip | zcat | ${command} '${lstm}' -i - --format csv | gzip | zcat | uniq -c`,
    );
    assert.match(out, /^ *5000 0\.\d+,/);
    assert.equal(err, '');
  });

  test('reads labels from another pipe', { skip: !hasShell }, async () => {
    const { out, err } = await shell(
      `echo 1,2,3,4,5,6 | ${command} '${lstm}' -i - --labels <(printf 'a\\nb\\nc\\n') --format csv`,
    );
    assert.match(out, /^row,label,probability\n1,[abc],0\.\d+\n$/);
    assert.equal(err, '');
  });

  test('reports a full disk', { skip: !existsSync('/dev/full') }, async () => {
    const { code, err } = await shell(
      `yes 1,2,3,4,5,6 | head -50000 | ${command} '${lstm}' -i - --format csv > /dev/full`,
    );
    assert.equal(err, 'maskflow: standard output: the disk is full\n');
    assert.equal(code, 1);
    const data = write('rows.csv', row.repeat(100));
    for (const format of ['csv', 'jsonl', 'json', 'npz', 'npy', 'arrow']) {
      const options = ['-o', '/dev/full', '--format', format];
      fail(['run', lstm, '-i', data, ...options], 1, /^maskflow: \/dev\/full: the disk is full\n$/);
    }
  });

  test('waits for a slow reader, and reads no further meanwhile', async () => {
    const { child, end } = start([lstm, '-i', '-', '--format', 'jsonl']);
    child.stdout.pause();
    const block = row.repeat(5000);
    let sent = 0;
    for (let idle = 0; idle < 40; ) {
      if (child.stdin.writableLength > 0) {
        idle++;
        await sleep(25);
        continue;
      }
      idle = 0;
      sent += block.length;
      child.stdin.write(block);
      assert.ok(sent < 40e6, 'the command still reads its input, although its output is not read');
      await sleep(1);
    }
    child.stdout.resume();
    child.stdin.end();
    const { code, out } = await end;
    assert.equal(code, 0);
    assert.equal(out.split('\n').length - 1, sent / row.length);
  });

  test('leaves the old file, and no other one, at SIGINT', { skip: !hasShell }, async () => {
    for (const name of ['cut.csv', 'cut.npy']) {
      const output = write(name, 'old');
      const options = ['-o', output, '--force', '--batch', '10'];
      const { child, end, until } = start([lstm, '-i', '-', ...options]);
      child.stdin.write(row.repeat(1000));
      const isNew = (each) => each.startsWith('.maskflow-');
      const size = (each) => readFileSync(path(each)).length;
      await until(() => readdirSync(folder).some((each) => isNew(each) && size(each) > 10_000));
      child.kill('SIGINT');
      assert.equal((await end).signal, 'SIGINT');
      assert.equal(readFileSync(output, 'utf8'), 'old');
      assert.deepEqual(readdirSync(folder).filter(isNew), []);
    }
  });
});

suite('maskflow run with much data', () => {
  const report = write(
    'report.mjs',
    `process.on('exit', () => process._rawDebug('RSS ' + process.resourceUsage().maxRSS));`,
  );
  const peak = async (rows, format) => {
    const code = `const line = '0.25,-1.5,3,4,5e-1,6\\n'.repeat(1000);
      for (let i = 0; i < ${rows / 1000}; i++)
        if (!process.stdout.write(line)) await new Promise((go) => process.stdout.once('drain', go));`;
    const writer = write('writer.mjs', code);
    const { out, err } = await shell(
      `'${process.execPath}' '${writer}' | '${process.execPath}' --import '${report}' '${program}' run '${path('dense.keras')}' -i - --format ${format} | wc -c`,
    );
    assert.ok(Number(out) > rows, err);
    return Number(/RSS (\d+)/.exec(err)[1]) / 1000;
  };

  test('needs no more memory for more rows', { skip: !hasShell }, async () => {
    await mf.ready();
    const dense = new mf.Sequential([mf.Input({ shape: [6] }), mf.layers.dense({ units: 1 })]);
    await dense.save(path('dense.keras'));
    // Beside other programs, garbage is collected late at times, but not each time.
    const least = async (...args) => Math.min(await peak(...args), await peak(...args));
    for (const format of ['csv', 'npy']) {
      const [few, many] = [await peak(200_000, format), await least(800_000, format)];
      assert.ok(many < few + 50, `${format}: ${few} MB for 2e5 rows, ${many} MB for 8e5`);
      assert.ok(many < 220, `${many} MB`);
    }
  });

  test('shows rows per second and the remaining time on a terminal', {
    skip: !existsSync('/usr/bin/script'),
  }, async () => {
    const data = write('progress.csv', row.repeat(60_000));
    const run = `${command} '${lstm}' -i '${data}' -o '${path('p.csv')}' --force`;
    const { out } = await shell(`script -qec "${run}" /dev/null`);
    assert.match(out, /█+░* \d+ rows, \d+ rows\/s, \d+ s left/);
    const quiet = await shell(`script -qec "${run} --quiet" /dev/null`);
    assert.equal(quiet.out, '');
  });
});

// SPDX-License-Identifier: MIT
// Random tables through `maskflow run`. Every row has the prediction of `predict`; what passes
// through stays as it is; a bad row is an error with its number, is left out, or is null.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as mf from '../../dist/train.js';
import { generator, integer, pick } from '../support/random.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const kLongest = 30;

const textKeys = ['a', ' b ', '"q"', 'wide 🙂', 'ü', '日本', 'a,b', '', '=1+1', '0012', 'true'];
const numberKeys = ['9007199254740993', '18446744073709551615', '1.50', '-0', '1e400', '0012'];
const jsonKeys = [
  '9007199254740993',
  '18446744073709551615',
  '1.50',
  '-0',
  '"\\u00fc"',
  '"ü"',
  '[1, 2.0]',
  '{"a":1}',
  'null',
  '"a\\nb"',
];

const numberText = (random) =>
  pick(random, [
    () => String(Math.fround(random() * 2 - 1)),
    () => String(integer(random, -9, 9)),
    () => (random() * 100).toExponential(3),
    () => `+${integer(random, 0, 9)}.50`,
    () => `${integer(random, 0, 9)}.`,
  ])();

function modelOf(random, width) {
  const units = integer(random, 1, 3);
  const activation = pick(random, ['linear', 'tanh', 'sigmoid']);
  const model = new mf.Sequential([
    mf.Input({ shape: [width] }),
    mf.layers.dense({ units, activation }),
  ]);
  const fill = ({ shape }) =>
    Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => random() - 0.5);
  model.setWeights(model.weights.map(fill));
  return model;
}

const quote = (cell) => `"${cell.replaceAll('"', '""')}"`;

function csvTable(random, rows, width) {
  const separator = pick(random, [',', ',', ';', '\t']);
  const end = pick(random, ['\n', '\r\n']);
  const cell = (text) => {
    const needs = /[",;\t\r\n]/.test(text) || text !== text.trim();
    return needs || random() < 0.1 ? quote(text) : text;
  };
  const names = [...Array.from({ length: width }, (_, i) => `x${i}`), 'key'];
  const lines = rows.map(({ cells, key }) => [...cells, key].map(cell).join(separator));
  const text = [names.join(separator), ...lines].join(end);
  const isComplete = random() < 0.8 ? end : '';
  return `${random() < 0.2 ? '\ufeff' : ''}${text}${isComplete}`;
}

function jsonTable(random, rows) {
  const end = pick(random, ['\n', '\r\n']);
  const lines = rows.map(({ cells, key }) => `{"key":${key},"x":[${cells.join(',')}]}`);
  return `${lines.join(end)}${random() < 0.8 ? end : ''}`;
}

/** Draws a case: a model, a table, options, and what is expected. */
function draw(random) {
  const isJson = random() < 0.5;
  const width = integer(random, 1, 5);
  const model = modelOf(random, width);
  const isOdd = random() < 0.5;
  const rows = Array.from({ length: integer(random, 1, kLongest) }, () => {
    const text = () => (isJson ? String(Math.fround(random() * 2 - 1)) : numberText(random));
    const cells = Array.from({ length: width }, text);
    const key = pick(random, isJson ? jsonKeys : [...textKeys, ...numberKeys]);
    const isBad = isOdd && random() < 0.15;
    if (isBad) {
      const damage = [
        () => cells.push('1'),
        () => (cells[0] = isJson ? '"x"' : 'x1'),
        () => (cells[0] = isJson ? '[[1]]' : '1_0'),
      ];
      pick(random, damage)();
    }
    return { cells, key, isBad };
  });
  return {
    isJson,
    model,
    rows,
    text: isJson ? jsonTable(random, rows) : csvTable(random, rows, width),
  };
}

/** Runs the command; a table on standard input is sent in slow pieces. */
async function runCommand(random, args, text) {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (piece) => (output.out += piece));
  child.stderr.setEncoding('utf8').on('data', (piece) => (output.err += piece));
  child.stdin.on('error', () => {});
  const code = new Promise((resolve) => child.once('close', resolve));
  if (text !== null) {
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; ) {
      const to = from + integer(random, 1, bytes.length);
      child.stdin.write(bytes.subarray(from, to));
      await new Promise((resolve) => setTimeout(resolve, integer(random, 0, 3)));
      from = to;
    }
  }
  child.stdin.end();
  return { code: await code, ...output };
}

/** Compares one line of results with the row. Returns a problem, or undefined. */
function problemOf(line, { key, cells, isBad }, model, isJson) {
  let json;
  try {
    json = JSON.parse(line);
  } catch {
    return `the line ${line} is not JSON`;
  }
  const passed = isJson ? [`"key":${key}`] : [`"key":${JSON.stringify(key)}`, `"key":${key}`];
  // Where a row of a table has a cell too many, another cell has the place of the key.
  const isShifted = isBad && !isJson;
  if (!isShifted && !passed.some((each) => line.includes(each)))
    return `the key ${key} became ${line}`;
  if (isBad) return json.output === null ? undefined : `a bad row has the result ${line}`;
  const x = mf.tensor([cells.map(Number)], { dtype: 'float32' });
  const y = model.predict(x);
  const expected = [...y.data()];
  x.dispose();
  y.dispose();
  const values = [json.output].flat(3);
  const isEqual =
    values.length === expected.length &&
    values.every((value, i) => Math.abs(value - expected[i]) <= 1e-5 * (1 + Math.abs(expected[i])));
  return isEqual ? undefined : `predictions ${values} instead of ${expected}`;
}

/** Compares the results with the rows. */
function problemsOf({ code, out, err }, { rows, model, isJson }, onError) {
  if (/\n {4}at |TypeError|RangeError|undefined/.test(err)) return [`an untyped error: ${err}`];
  const firstBad = rows.findIndex(({ isBad }) => isBad);
  if (firstBad >= 0 && onError === 'stop') {
    const number = /(?:row|line) (\d+)/.exec(err)?.[1];
    const lines = isJson ? [firstBad + 1] : [firstBad + 1, firstBad + 2];
    if (code !== 1) return [`a bad row ${firstBad + 1} ends with code ${code}: ${err}`];
    return lines.includes(Number(number)) ? [] : [`row ${firstBad + 1} is bad, but: ${err}`];
  }
  const expected = onError === 'skip' ? rows.filter(({ isBad }) => !isBad) : rows;
  if (expected.length === 0) return [];
  if (code !== 0) return [`code ${code}: ${err}`];
  const lines = out.trimEnd().split('\n');
  if (lines.length !== expected.length) return [`${expected.length} rows became ${lines.length}`];
  return lines.map((line, i) => problemOf(line, expected[i], model, isJson)).filter(Boolean);
}

/** Runs cases, and returns sentences about failures. */
export async function fuzzRun(from, to, onCase = () => {}) {
  await mf.ready();
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-fuzz-run-'));
  const failures = [];
  try {
    for (let seed = from; seed < to; seed++) {
      const random = generator(seed * 7919 + 1);
      const drawn = draw(random);
      const file = join(folder, 'm.keras');
      await drawn.model.save(file);
      const onError = pick(random, ['stop', 'skip', 'null']);
      const isPipe = random() < 0.5;
      const table = join(folder, drawn.isJson ? 'in.jsonl' : 'in.csv');
      writeFileSync(table, drawn.text);
      const format = isPipe ? ['--input-format', drawn.isJson ? 'jsonl' : 'csv'] : [];
      const columns = drawn.isJson ? ['--columns', 'x'] : ['--header'];
      const args = ['run', file, '-i', isPipe ? '-' : table, ...format, ...columns, '--id', 'key'];
      args.push('--format', 'jsonl', '-q', '--threads', '1', '--on-error', onError);
      args.push('-b', `${integer(random, 1, 8)}`);
      const result = await runCommand(random, args, isPipe ? drawn.text : null);
      for (const problem of problemsOf(result, drawn, onError).slice(0, 2))
        failures.push(`case ${seed} (${args.slice(2).join(' ')}): ${problem}`);
      drawn.model.dispose();
      onCase(seed - from + 1);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return failures;
}

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
import { arrowTable, npyTable, npzTable, oddTable } from './run_tables.js';

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
  const width = integer(random, 1, 5);
  const model = modelOf(random, width);
  const make = pick(random, [drawText, drawText, npyTable, npzTable, arrowTable, oddTable]);
  if (make === drawText) return { model, ...drawText(random, width) };
  if (make === oddTable) return { model, isOdd: true, ...oddTable(random, width) };
  return { model, ...make(random, integer(random, 1, kLongest), width) };
}

/** A table of CSV or JSON lines. */
function drawText(random, width) {
  const isJson = random() < 0.5;
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
    isTable: !isJson,
    rows,
    bytes: Buffer.from(isJson ? jsonTable(random, rows) : csvTable(random, rows, width)),
    name: isJson ? 'in.jsonl' : 'in.csv',
    format: isJson ? 'jsonl' : 'csv',
    options: [...(isJson ? ['--columns', 'x'] : ['--header']), '--id', 'key'],
  };
}

/** Runs the command; a table on standard input is sent in slow pieces. */
async function runCommand(random, args, bytes) {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (piece) => (output.out += piece));
  child.stderr.setEncoding('utf8').on('data', (piece) => (output.err += piece));
  child.stdin.on('error', () => {});
  const code = new Promise((resolve) => child.once('close', resolve));
  if (bytes !== null) {
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
function problemOf(line, { key, cells, isBad }, model, isTable) {
  let json;
  try {
    json = JSON.parse(line);
  } catch {
    return `the line ${line} is not JSON`;
  }
  const passed = [...(isTable ? [`"key":${JSON.stringify(key)}`] : []), `"key":${key}`];
  // Where a row of a table has a cell too many, another cell has the place of the key.
  const isShifted = isBad && isTable;
  if (key !== undefined && !isShifted && !passed.some((each) => line.includes(each)))
    return `the key ${key} became ${line}`;
  if (isBad) return json.output === null ? undefined : `a bad row has the result ${line}`;
  const x = mf.tensor([cells.map(Number)], { dtype: 'float32' });
  const y = model.predict(x);
  const expected = [...y.data()];
  x.dispose();
  y.dispose();
  const values = [key === undefined ? json : json.output].flat(3);
  const isEqual =
    values.length === expected.length &&
    values.every((value, i) => Math.abs(value - expected[i]) <= 1e-5 * (1 + Math.abs(expected[i])));
  return isEqual ? undefined : `predictions ${values} instead of ${expected}`;
}

/** Compares the results with the rows. */
function problemsOf({ code, out, err }, drawn, onError) {
  const { rows, model, isTable, isOdd, message } = drawn;
  if (/\n {4}at |TypeError|RangeError|undefined/.test(err)) return [`an untyped error: ${err}`];
  if (isOdd && !rows) return oddProblems({ code, out, err }, message);
  const firstBad = rows.findIndex(({ isBad }) => isBad);
  if (firstBad >= 0 && onError === 'stop') {
    const number = /(?:row|line) (\d+)/.exec(err)?.[1];
    const lines = [firstBad + 1, ...(isTable ? [firstBad + 2] : [])];
    // With `stop`, the length of the first row decides, so that the second one may be named.
    if (firstBad === 0) lines.push(isTable ? 3 : 2);
    if (code !== 1) return [`a bad row ${firstBad + 1} ends with code ${code}: ${err}`];
    return lines.includes(Number(number)) ? [] : [`row ${firstBad + 1} is bad, but: ${err}`];
  }
  const expected = onError === 'skip' ? rows.filter(({ isBad }) => !isBad) : rows;
  if (expected.length === 0) return [];
  if (code !== 0) return [`code ${code}: ${err}`];
  const lines = out.trimEnd().split('\n');
  if (lines.length !== expected.length) return [`${expected.length} rows became ${lines.length}`];
  return lines.map((line, i) => problemOf(line, expected[i], model, isTable)).filter(Boolean);
}

/** An odd table is an error of one line, or has no rows. */
function oddProblems({ code, out, err }, message) {
  if (code === 0) return message || out.trim() !== '' ? [`an odd table became ${out}`] : [];
  const isLine = (code === 1 || code === 2) && /^maskflow: [^\n]+\n$/.test(err);
  if (!isLine || out !== '') return [`code ${code}: ${err}`];
  return !message || message.test(err) ? [] : [`not ${message}: ${err}`];
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
      const table = join(folder, drawn.name);
      writeFileSync(table, drawn.bytes);
      const format = isPipe ? ['--input-format', drawn.format] : [];
      const args = ['run', file, '-i', isPipe ? '-' : table, ...format, ...drawn.options];
      args.push('--format', 'jsonl', '-q', '--threads', '1', '--on-error', onError);
      args.push('-b', `${integer(random, 1, 8)}`);
      const result = await runCommand(random, args, isPipe ? drawn.bytes : null);
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

// SPDX-License-Identifier: MIT
// Ports a recorded Keras program to JavaScript, runs the JavaScript, and compares its variables
// `result0`, `result1`, … and what it printed with those of Python.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { port } from '../../dist/port.js';
import * as mf from '../../dist/train.js';
import { near } from '../fuzz/workflow_compare.js';

const entries = {
  maskflow: 'index',
  'maskflow/train': 'train',
  'maskflow/text': 'text',
};

/** One engine runs all programs, so the entry without training is replaced by the one with it. */
const entryUrl = (name) => {
  const entry = entries[name];
  if (!entry) throw new Error(`the program imports ${name}`);
  return new URL(`../../dist/${entry === 'index' ? 'train' : entry}.js`, import.meta.url).href;
};

/** Sets weights that are a curve of their number, as tests/fuzz/keras_port.py does in Keras. */
function startValues(target) {
  const weights = target.getWeights().map(({ shape }, number) => {
    const count = shape.reduce((product, size) => product * size, 1);
    const values = Array.from({ length: count }, (_, i) => 0.5 * Math.sin(1.7 * i + number + 0.3));
    return mf.tensor(values, { shape, dtype: 'float32' });
  });
  target.setWeights(weights);
}

const imports = /^(import\b[^'"]*?from\s*)(['"])(maskflow[^'"]*)\2/gm;
const comment = /^([ \t]*)\/\/ start values: (\w+)\s*$/gm;

/** Returns the JavaScript as a module that exports the named variables as `found`. */
function moduleOf(code, names) {
  const linked = code
    .replace(imports, (_, words, quote, name) => `${words}${quote}${entryUrl(name)}${quote}`)
    .replace(comment, '$1globalThis.maskflowPorted.startValues($2);');
  const found = names.map(
    (name) => `${name}: typeof ${name} === 'undefined' ? undefined : ${name}`,
  );
  return `const { console } = globalThis.maskflowPorted; ${linked}\nexport const found = { ${found} };\n`;
}

let runs = 0;

/** Runs JavaScript; resolves to the named variables and the printed lines. */
export async function runPorted(code, names) {
  const lines = [];
  const log = (...words) => lines.push(words.map((word) => `${word}`).join(' '));
  globalThis.maskflowPorted = { startValues, console: { ...console, log, info: log, table() {} } };
  const text = `${moduleOf(code, names)}// ${runs++}`;
  // Programs save files beside themselves.
  const folder = mkdtempSync(join(tmpdir(), 'ported-'));
  const before = process.cwd();
  process.chdir(folder);
  try {
    const { found } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    return { found, lines };
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  }
}

const short = (value) => (JSON.stringify(value) ?? 'undefined').slice(0, 160);
const isArrayCode = (wanted) => wanted !== null && typeof wanted === 'object' && 'shape' in wanted;

/** Returns shape and numbers of a tensor, a number or nested arrays, else undefined. */
function arrayOf(value) {
  if (value instanceof mf.Tensor) return { shape: value.shape, values: [...value.data()] };
  if (value instanceof mf.Variable) return arrayOf(value.value);
  if (typeof value === 'number' || typeof value === 'boolean')
    return { shape: [], values: [value] };
  if (ArrayBuffer.isView(value)) return { shape: [value.length], values: [...value] };
  if (!Array.isArray(value)) return;
  const items = value.map(arrayOf);
  if (items.some((item) => item === undefined)) return;
  const inner = items[0]?.shape ?? [];
  if (items.some(({ shape }) => `${shape}` !== `${inner}`)) return;
  return { shape: [items.length, ...inner], values: items.flatMap(({ values }) => values) };
}

/** Compares a value of JavaScript with one of Python. Throws on a difference. */
export function compare(got, wanted, where, isTrained) {
  const differ = () => {
    throw new Error(`${where}: ${short(arrayOf(got) ?? got)}, not ${short(wanted)}`);
  };
  if (isArrayCode(wanted)) {
    const array = arrayOf(got) ?? differ();
    if (`${array.shape}` !== `${wanted.shape}`) {
      throw new Error(`${where}: shape [${array.shape}], not [${wanted.shape}]`);
    }
    near(array.values.map(Number), wanted.values.map(toNumber), where, isTrained);
    if (wanted.mask) {
      if (!got.mask) throw new Error(`${where}: no mask`);
      near([...got.mask.data()].map(Number), wanted.mask.map(Number), `${where} mask`);
    }
  } else if (Array.isArray(wanted)) {
    const list = got instanceof mf.Tensor && got.shape.length === 1 ? [...got.data()] : got;
    if (!Array.isArray(list) || list.length !== wanted.length) differ();
    for (const [i, item] of wanted.entries()) compare(list[i], item, `${where}[${i}]`, isTrained);
  } else if (wanted?.items) {
    if (got === null || typeof got !== 'object') differ();
    const map = got instanceof Map ? got : new Map(Object.entries(got));
    if (map.size !== wanted.items.length) differ();
    for (const [key, item] of wanted.items) {
      const value = map.has(key) ? map.get(key) : map.get(`${key}`);
      compare(value, item, `${where} ${key}`, isTrained);
    }
  } else if (typeof wanted === 'number' || /^-?(inf|nan)$/.test(wanted)) {
    const array = arrayOf(got) ?? differ();
    if (array.values.length !== 1 || array.shape.length > 0) differ();
    near(array.values.map(Number), [toNumber(wanted)], where, isTrained);
  } else if (wanted === null) {
    if (got !== null && got !== undefined) differ();
  } else if (typeof wanted === 'boolean' && got instanceof mf.Tensor) {
    if (Boolean(got.data()[0]) !== wanted) differ();
  } else if (withoutCount(got) !== withoutCount(wanted)) differ();
}

/** Names of models count those of the process, which runs many programs here. */
const withoutCount = (value) =>
  typeof value === 'string' ? value.replace(/^(functional|sequential)_\d+$/, '$1') : value;

const toNumber = (value) =>
  typeof value === 'string'
    ? Number(value.replace('inf', 'Infinity').replace('nan', 'NaN'))
    : Number(value);

/** Compares printed lines: equal words, and numbers as close as their digits. */
function comparePrinted(lines, printed) {
  const forms = { NaN: 'nan', Infinity: 'inf' };
  const words = (text) =>
    text
      .trimEnd()
      .replace(/\b(NaN|Infinity)\b/g, (word) => forms[word])
      .replace(/-?\d+(\.\d+)?/g, '#');
  const numbers = (text) => (text.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
  const got = lines.join('\n').trimEnd();
  const wanted = printed.trimEnd();
  if (words(got) !== words(wanted)) throw new Error(`prints ${short(got)}, not ${short(wanted)}`);
  const [a, b] = [numbers(got), numbers(wanted)];
  if (b.some((number, i) => Math.abs(number - a[i]) > 0.011)) {
    throw new Error(`prints ${short(got)}, not ${short(wanted)}`);
  }
}

/** Returns the difference between a recorded program and its port, or null. */
export async function portedDifference({ source, results, printed, trained }, options) {
  let ported;
  try {
    ported = port(source, options);
  } catch (error) {
    return { notes: [], problem: `port: ${error.message}` };
  }
  const { code, notes } = ported;
  try {
    const { found, lines } = await runPorted(code, Object.keys(results));
    for (const [name, wanted] of Object.entries(results))
      compare(found[name], wanted, name, trained);
    comparePrinted(lines, printed);
    return { notes, code, problem: null };
  } catch (error) {
    return { notes, code, problem: `${error.name}: ${error.message}` };
  }
}

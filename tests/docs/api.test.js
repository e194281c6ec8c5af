// SPDX-License-Identifier: MIT
// Every page of the reference says what its function or class does, what each argument means, what
// is thrown, and shows a program. What is missing is listed here with the reason.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { before, test } from 'node:test';
import { buildSiteIfChanged } from '../../scripts/docs.mjs';
import { at, filesUnder } from '../../scripts/lib/files.mjs';

/** Pages of classes of errors, which are thrown, and of places of wasm files. */
const apart = /(Error|variables\/wasm)\.md$/;

/** Pages of functions and classes that throw nothing of their own. */
const throwsNothing = [
  'callbacks/functions/controls.md',
  'callbacks/functions/swapEMAWeights.md',
  'callbacks/functions/terminateOnNaN.md',
  'functions/clearStoredModels.md',
  'functions/keep.md',
  'functions/storedModels.md',
  'train/classes/Callback.md',
  'variables/initializers.md',
];

/** Pages that refer to another page of the same name. */
const elsewhere = [
  'recurrent/functions/ready.md',
  'train/functions/loadModel.md',
  'train/functions/ready.md',
];

/** Objects that functions return; the pages of those functions have the programs. */
const madeByOthers = [
  ...['BatchedModel', 'ModelWorker', 'Optimizer', 'PoolModel', 'RemoteModel', 'Tensor'],
  ...['ValueMetric', 'WorkerPool', 'WorkerTensor'],
].map((name) => `classes/${name}.md`);

/** Arguments whose name and type say all. */
const plain = {
  'classes/Lambda.md': ['inputs', 'options.mask', 'options.training'],
  'classes/Tensor.md': ['output', 'targetLength', 'outputLength', 'indices'],
};

const endsWithOne = (path, endings) => endings.some((ending) => path.endsWith(ending));

/** Returns the arguments and options without a meaning in the tables of a page. */
const withoutMeaning = (text) =>
  [...text.matchAll(/^\| `([^`]*)`<br>.*\|\s*\|$/gm)].map(([, name]) => name);

const plainArguments = (path) =>
  Object.entries(plain).flatMap(([page, names]) => (path.endsWith(page) ? names : []));

/** Returns what a page lacks. */
function complaintsOf(path, text) {
  const unexplained = withoutMeaning(text).filter((name) => !plainArguments(path).includes(name));
  const complaints = unexplained.map((name) => `no meaning of ${name}`);
  if (endsWithOne(path, [...madeByOthers, ...elsewhere])) return complaints;
  if (!/\bthrows?\b/i.test(text) && !endsWithOne(path, throwsNothing)) complaints.push('no errors');
  if (!/^#+ Examples?\b/m.test(text) && !path.endsWith('train/classes/Callback.md'))
    complaints.push('no example');
  return complaints;
}

before(() => buildSiteIfChanged());

test('every page has meanings, errors and an example', () => {
  const pages = filesUnder('docs/api', /\/(functions|classes|variables)\/[^/]*\.md$/);
  assert.ok(pages.length > 400, `${pages.length} pages`);
  const complaints = pages
    .filter((path) => !apart.test(path))
    .flatMap((path) =>
      complaintsOf(path, readFileSync(path, 'utf8')).map(
        (complaint) => `${relative(at('docs', 'api'), path)}: ${complaint}`,
      ),
    );
  assert.deepEqual(complaints, []);
});

/** Returns the tables of arguments of a page: the cells of their rows. */
const tablesOf = (text) =>
  [...text.matchAll(/^\| (?:parameter|option) \|(.*)\n\|.*\n((?:\|.*\n)+)/gm)].map(
    ([, head, rows]) => ({
      hasDefaults: head.includes('default'),
      rows: rows
        .trim()
        .split('\n')
        .map((row) => row.split(/(?<!\\)\|/).slice(1, -1)),
    }),
  );

test('a column of defaults says something of every argument, and not the same of all', () => {
  const pages = filesUnder('docs/api', /\.md$/);
  let count = 0;
  for (const path of pages) {
    for (const { hasDefaults, rows } of tablesOf(readFileSync(path, 'utf8'))) {
      if (!hasDefaults) continue;
      count += 1;
      const cells = rows.map(([, preset]) => preset.trim());
      const page = relative(at('docs', 'api'), path);
      assert.ok(!cells.includes(''), `${page}: ${rows[cells.indexOf('')]?.[0]} has no default`);
      assert.ok(!cells.every((cell) => cell === 'required'), `${page}: all are required`);
    }
  }
  assert.ok(count > 300, `${count} tables`);
});

const layerPages = () =>
  filesUnder('docs/api', /\/classes\/[^/]*\.md$/)
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
    .filter(({ text }) => text.includes('Create it with `layers.'));

test('the page of a layer says how to call it, and describes all its properties', () => {
  const pages = layerPages();
  assert.ok(pages.length > 60, `${pages.length} pages`);
  for (const { path, text } of pages) {
    assert.match(text, /^Call it with `layer\.apply\(inputs, \{ mask, training.*\}\)`/m, path);
    const silent = /^### (\w+)\n\n> .*\n\n(?=#|\*\*\*|$)/m.exec(text)?.[1];
    assert.equal(silent, undefined, `${path}: ${silent} has no words`);
  }
});

test('options of calls that few layers have are on the pages of these layers', () => {
  for (const [name, options] of Object.entries({
    LSTM: ['initialState'],
    MultiHeadAttention: ['attentionMask', 'useCausalMask', 'returnAttentionScores'],
    CategoryEncoding: ['countWeights'],
    Dense: [],
  })) {
    const text = readFileSync(at('docs', 'api', 'maskflow', 'classes', `${name}.md`), 'utf8');
    const section = /## Call options\n[\s\S]*?(?=\n## )/.exec(text)?.[0] ?? '';
    assert.equal(section !== '', options.length > 0, name);
    for (const option of options)
      assert.ok(section.includes(`| \`${option}\``), `${name}: ${option}`);
  }
});

test('the page of an op says that its result has no mask', () => {
  const text = readFileSync(at('docs/api/maskflow/namespaces/ops/functions/mean.md'), 'utf8');
  assert.match(text, /\*\*Masks\*\*: the result has no mask/);
  assert.match(text, /The settings below, or only the value of `axis`/);
});

test('defaults and descriptions of layers have their values, and the names of TypeScript', () => {
  for (const { path, text } of layerPages()) {
    assert.doesNotMatch(text, /`a list`/, path);
    const words = text.replace(/^- `\w*Error`.*$|`[^`]*`|'[^']*'/gm, '');
    assert.doesNotMatch(words, /\b(kernel_size|input_dim|output_dim|mask_value|key_dim)\b/, path);
  }
});

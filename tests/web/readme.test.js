// SPDX-License-Identifier: MIT
// Statements of the README and the guides outside their programs (which doc_blocks.test.js runs):
// figures, links, lists, the picture.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadModel, ops, padSequences, serializeLayer } from '../../dist/index.js';
import { ops as trainOps } from '../../dist/train.js';
import { kerasKinds } from '../fuzz/keras.js';
import { nameDifference } from '../support/name_lists.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readText = (path) => readFileSync(join(root, path), 'utf8');
const readme = readText('README.md');

test('the README is short', () => assert.ok(readme.split('\n').length <= 150));

test('the README gives the number of recorded cases of the table of layers', () => {
  const [, cases] = /The (\d+) cases were recorded/.exec(readText('docs/layers.md'));
  assert.match(readme, new RegExp(`${Number(cases).toLocaleString('en')} cases`));
});

test('the table of entries gives the number of ops that only maskflow/train has', () => {
  const [, count] = /(\d+) more ops/.exec(readText('docs/guides/start.md'));
  assert.equal(Number(count), Object.keys(trainOps).filter((name) => !(name in ops)).length);
});

test('CONTRIBUTING lists the kinds of random cases beside real Keras', () => {
  const [table] = /\| kind \|[\s\S]*?\n\n/.exec(readText('CONTRIBUTING.md'));
  const named = [...table.matchAll(/`((?:keras|torch)-[a-z-]+)`/g)].map(([, kind]) => kind);
  assert.equal(
    nameDifference('the table of CONTRIBUTING.md', named, Object.keys(kerasKinds)),
    null,
  );
});

test('the picture shows the answers of the model', async () => {
  const model = await loadModel(join(root, 'tests/fixtures/trained/brackets.keras'));
  const json = JSON.stringify(serializeLayer(model)).replaceAll(
    '"mask_zero":true',
    '"mask_zero":false',
  );
  const unmasked = await loadModel(JSON.parse(json), { weights: await model.saveWeights() });
  const ids = [[...'([{}])'].map((bracket) => ' ()[]{}'.indexOf(bracket))];
  const answers = (network) =>
    Array.from({ length: 13 }, (_, steps) => {
      const x = padSequences(ids, { padding: 'post', maxlen: 6 + steps });
      return network.predict(x).item().toFixed(3);
    });
  assert.deepEqual(new Set(answers(model)), new Set(['0.997']));
  assert.deepEqual(answers(unmasked), ['0.997', '0.103', ...Array(11).fill('0.000')]);
  const picture = readText('docs/images/padding.svg');
  assert.match(picture, /with the mask: 0\.997, always/);
  assert.match(picture, /without: 0\.997, 0\.103, 0\.000 …/);
});

/** The project's Markdown files that are written for readers. */
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true })
    .map((name) => join('docs', name))
    .filter((name) => name.endsWith('.md') && !/^docs.(api|\.vitepress)/.test(name)),
];

/** Pages that exist only on the site, and generated ones: tests/docs checks links to them. */
const siteOnly = /^docs\/api\/|^playground(\/|$)/;

/** Converts headings to the anchors that links use. */
const anchors = (markdown) =>
  [...markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );

for (const page of pages) {
  test(`${page}: its links lead somewhere`, () => {
    const text = readText(page).replace(/^```[\s\S]*?^```/gm, '');
    for (const [, target] of text.matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)) {
      const [path, anchor] = target.split('#');
      const file = path === '' ? page : relative(root, join(root, dirname(page), path));
      if (siteOnly.test(file)) continue;
      assert.ok(existsSync(join(root, file)), `no file: ${target}`);
      if (anchor) assert.ok(anchors(readText(file)).includes(anchor), `no heading: ${target}`);
    }
  });
}

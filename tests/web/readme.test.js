// SPDX-License-Identifier: MIT
// What the README and the guides say beside their programs (which doc_blocks.test.js runs): figures, links, the picture.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadModel, padSequences, serializeLayer } from '../../dist/index.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path) => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');

test('the README is short', () => assert.ok(readme.split('\n').length <= 150));

test('the README counts the recorded cases as the table of layers does', () => {
  const [, cases] = /Each of the (\d+) cases/.exec(read('docs/layers.md'));
  assert.match(readme, new RegExp(`${Number(cases).toLocaleString('en')} cases`));
});

test('the picture shows what the model answers', async () => {
  const model = await loadModel(join(root, 'tests/fixtures/trained/brackets.keras'));
  const json = JSON.stringify(serializeLayer(model)).replaceAll(
    '"mask_zero":true',
    '"mask_zero":false',
  );
  const unmasked = await loadModel(JSON.parse(json), { weights: await model.saveWeights() });
  const ids = [[...'([{}])'].map((bracket) => ' ()[]{}'.indexOf(bracket))];
  const answers = (one) =>
    Array.from({ length: 13 }, (_, steps) => {
      const x = padSequences(ids, { padding: 'post', maxlen: 6 + steps });
      return one.predict(x).item().toFixed(3);
    });
  assert.deepEqual(new Set(answers(model)), new Set(['0.997']));
  assert.deepEqual(answers(unmasked), ['0.997', '0.103', ...Array(11).fill('0.000')]);
  const picture = read('docs/images/padding.svg');
  assert.match(picture, /with the mask: 0\.997, always/);
  assert.match(picture, /without: 0\.997, 0\.103, 0\.000 …/);
});

/** Markdown of the project that people read. */
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true })
    .map((name) => join('docs', name))
    .filter((name) => name.endsWith('.md') && !/^docs.(api|\.vitepress)/.test(name)),
];

/** What stands beside the docs on the site alone, and what is generated: tests/docs follows links there. */
const ofTheSite = /^docs\/api\/|^playground(\/|$)/;

/** Headings as links name them. */
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
    const text = read(page).replace(/^```[\s\S]*?^```/gm, '');
    for (const [, target] of text.matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)) {
      const [path, anchor] = target.split('#');
      const file = path === '' ? page : relative(root, join(root, dirname(page), path));
      if (ofTheSite.test(file)) continue;
      assert.ok(existsSync(join(root, file)), `no file: ${target}`);
      if (anchor) assert.ok(anchors(read(file)).includes(anchor), `no heading: ${target}`);
    }
  });
}

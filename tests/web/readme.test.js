// SPDX-License-Identifier: MIT
// Statements of the README and the guides outside their programs (which doc_blocks.test.js runs):
// figures, links, lists, the picture.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  layers,
  loadModel,
  ops,
  padSequences,
  ready,
  serializeLayer,
  tensor,
} from '../../dist/index.js';
import { ops as trainOps } from '../../dist/train.js';
import { answersOf, toyPicture } from '../../scripts/toy-picture.mjs';
import { kerasKinds } from '../fuzz/keras.js';
import { nameDifference } from '../support/name_lists.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readText = (path) => readFileSync(join(root, path), 'utf8');
const readme = readText('README.md');

test('the README is short', () => assert.ok(readme.split('\n').length <= 150));

test('the first page for contributors is short and links to every other one', () => {
  const page = readText('CONTRIBUTING.md');
  assert.ok(page.split('\n').length <= 60);
  for (const name of readdirSync(join(root, 'docs/contributing'))) {
    assert.ok(page.includes(`(docs/contributing/${name})`), name);
  }
});

test('the README gives the number of recorded cases of the table of layers', () => {
  const [, cases] = /The (\d+) cases were recorded/.exec(readText('docs/layers.md'));
  assert.match(readme, new RegExp(`${Number(cases).toLocaleString('en')} cases`));
});

test('the table of entries gives the number of ops that only maskflow/train has', () => {
  const [, count] = /(\d+) more ops/.exec(readText('docs/guides/start.md'));
  assert.equal(Number(count), Object.keys(trainOps).filter((name) => !(name in ops)).length);
});

test('docs/contributing/testing.md lists the kinds of random cases beside real Keras', () => {
  const [table] = /\| kind \|[\s\S]*?\n\n/.exec(readText('docs/contributing/testing.md'));
  const named = [...table.matchAll(/`(port|(?:keras|torch|sklearn)-[a-z-]+)`/g)].map(
    ([, kind]) => kind,
  );
  assert.equal(
    nameDifference('the table of docs/contributing/testing.md', named, Object.keys(kerasKinds)),
    null,
  );
});

test('layers treat masked steps as the README and the first page of the docs say', async () => {
  await ready({ onMaskDropped: 'silent' });
  const mask = [[true, true, false]];
  const x = (last) =>
    tensor([
      [
        [1, 2],
        [3, -1],
        [last, last],
      ],
    ]).withMask(mask);
  const call = (layer, input) =>
    layer.className === 'MultiHeadAttention'
      ? layer.apply({ query: input, value: input }).slice([0, 0, 0], [1, 2, 2])
      : layer.apply(input);
  const leavesOut = [
    layers.lstm({ units: 2 }),
    layers.gru({ units: 2 }),
    layers.simpleRNN({ units: 2 }),
    layers.bidirectional({ layer: layers.lstm({ units: 2 }) }),
    layers.multiHeadAttention({ numHeads: 1, keyDim: 2 }),
    layers.globalAveragePooling1D(),
  ];
  for (const layer of leavesOut) {
    assert.deepEqual(call(layer, x(0)).data(), call(layer, x(9)).data(), layer.className);
  }
  const dense = layers.dense({ units: 2 });
  assert.deepEqual(dense.apply(x(0)).mask.array(), mask);
  assert.notDeepEqual(dense.apply(x(0)).data(), dense.apply(x(9)).data());
  assert.deepEqual(
    layers
      .embedding({ inputDim: 4, outputDim: 2, maskZero: true })
      .apply([[2, 1, 0]])
      .mask.array(),
    mask,
  );
  for (const layer of [
    layers.conv1D({ filters: 2, kernelSize: 3, padding: 'same' }),
    layers.flatten(),
    layers.globalMaxPooling1D(),
  ]) {
    assert.equal(layer.apply(x(0)).mask, null, layer.className);
    assert.notDeepEqual(layer.apply(x(0)).data(), layer.apply(x(9)).data(), layer.className);
  }
});

test('the picture shows the answers of the model', async () => {
  const answers = await answersOf({ loadModel, padSequences, serializeLayer }, 12);
  const shown = (name) => answers.map((each) => each[name].toFixed(4));
  assert.deepEqual(new Set(shown('masked')), new Set(['0.9992']));
  assert.deepEqual(shown('bare'), ['0.9992', '0.0012', ...Array(11).fill('0.0000')]);
  const picture = readText('docs/images/padding.svg');
  assert.match(picture, /with the mask: 0\.9992, always/);
  // The page begins with the same row.
  assert.match(readText('page/chapters/proof/chapter.html'), /value="\[\(\)\{\}\]"/);
  assert.match(picture, /without: 0\.9992, 0\.0012, 0\.0000 …/);
});

test('the moving picture shows answers of the model, and is still under reduced motion', async () => {
  const picture = readText('docs/images/toy.svg');
  // node scripts/toy-picture.mjs draws it again.
  assert.equal(picture, toyPicture(await answersOf({ loadModel, padSequences, serializeLayer })));
  // On a phone it is 358 pixels wide.
  const width = Number(/viewBox="0 0 (\d+) /.exec(picture)[1]);
  const sizes = [...picture.matchAll(/\b(?:font|font-size):(\d+)px/g)].map(([, size]) => size);
  assert.equal(sizes.length, 3);
  for (const size of sizes) assert.ok((size * 358) / width >= 12, `${size} of ${width} pixels`);
  const moving = /@media \(prefers-reduced-motion:no-preference\)\{\n([\s\S]*?)\n\}/.exec(picture);
  assert.equal(moving[1].match(/animation:/g).length, picture.match(/animation:/g).length);
  assert.match(picture, /<g class="after">.*0\.0012.*not balanced/);
  for (const page of ['README.md', 'docs/index.md'])
    assert.match(
      readText(page),
      /<source media="\(prefers-reduced-motion: reduce\)" srcset="[./\w]*padding\.svg">/,
      page,
    );
  assert.match(readme, /\[its page\]\(page\/index\.html\)/);
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

const chapters = JSON.parse(readText('page/chapters/order.json'));

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
      // The site's first page has the chapters.
      if (file === '') {
        assert.ok(!anchor || chapters.some(({ id }) => id === anchor), `no chapter: ${target}`);
        continue;
      }
      assert.ok(existsSync(join(root, file)), `no file: ${target}`);
      if (anchor) assert.ok(anchors(readText(file)).includes(anchor), `no heading: ${target}`);
    }
  });
}

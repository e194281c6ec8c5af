// SPDX-License-Identifier: MIT
// The search of the site answers questions in users' own words: one of the right pages is among the
// first three results. The index is the site's, the settings are those of VitePress's search box.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { buildSiteIfChanged } from '../../scripts/docs.mjs';
import { at } from '../../scripts/lib/files.mjs';
import { messages, owners, questions } from './support/questions.js';

// The site searches by the package that VitePress depends on.
const MiniSearch = createRequire(import.meta.resolve('vitepress'))('minisearch');
const kShown = 3;
let folder;
let index;

/** Imports a TypeScript file of the site. */
async function imported(name) {
  const outfile = join(folder, `${name}.mjs`);
  const entryPoints = [at('docs', '.vitepress', `${name}.ts`)];
  await build({ entryPoints, outfile, format: 'esm', bundle: true });
  return import(pathToFileURL(outfile));
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maskflow-search-'));
  await buildSiteIfChanged();
  const chunks = at('dist', 'site', 'docs', 'assets', 'chunks');
  const file = readdirSync(chunks).find((name) => name.startsWith('@localSearchIndexroot'));
  copyFileSync(join(chunks, file), join(folder, 'index.mjs'));
  globalThis.window = { __VP_SITE_DATA__: { base: '/' } };
  const { default: json } = await import(pathToFileURL(join(folder, 'index.mjs')));
  const { boostDocument } = await imported('ranking');
  const {
    fuzziness: fuzzy,
    queryWords: tokenize,
    termWeight: boostTerm,
    weights,
  } = await imported('search_terms');
  index = (MiniSearch.default ?? MiniSearch).loadJSON(json, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions: {
      fuzzy,
      prefix: true,
      boost: { title: 4, text: 2, titles: 1 },
      boostDocument,
      boostTerm,
      tokenize,
      weights,
    },
  });
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('the index has all pages of the site', () => {
  assert.ok(index.documentCount > 5000, `${index.documentCount} sections`);
});

for (const [question, ...pages] of [...questions, ...messages]) {
  test(`"${question}" finds ${pages[0]}`, () => {
    const found = index.search(question).map(({ id }) => id.replace(/^\//, ''));
    const first = found.slice(0, kShown);
    assert.ok(
      first.some((id) => pages.some((page) => id.startsWith(page))),
      `the first are ${first.join(', ')}; the right one is result ${
        1 + found.findIndex((id) => pages.some((page) => id.startsWith(page)))
      }`,
    );
  });
}

for (const [option, owner] of owners) {
  test(`"${option}" finds ${owner} first`, () => {
    const [{ id }] = index.search(option);
    assert.match(id, new RegExp(`^/?api/maskflow/classes/${owner}\\.html#`));
  });
}

test('a page for contributors is not before one for users', () => {
  const [{ id }] = index.search('typescript');
  assert.doesNotMatch(id, /contributing/);
});

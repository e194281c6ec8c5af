// SPDX-License-Identifier: MIT
// The navigation of the site names what readers look for, where they look.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { at } from '../../scripts/lib/files.mjs';

const source = at('docs', '.vitepress', 'sidebar.ts');
const folder = mkdtempSync(join(tmpdir(), 'maskflow-navigation-'));
let links;

const linksOf = (items) =>
  items.flatMap(({ text, link, items: inner = [] }) => [
    ...(link ? [{ text, link }] : []),
    ...linksOf(inner),
  ]);

before(async () => {
  const outfile = join(folder, 'sidebar.mjs');
  // The file finds the documents from its own place.
  const define = { 'import.meta.url': JSON.stringify(String(pathToFileURL(source))) };
  await build({
    entryPoints: [source],
    outfile,
    format: 'esm',
    bundle: true,
    platform: 'node',
    define,
  });
  const { sidebar } = await import(pathToFileURL(outfile));
  links = linksOf(sidebar['/']);
});
after(() => rmSync(folder, { recursive: true }));

for (const [words, page] of [
  [/Content-Security-Policy/, '/guides/offline#the-policy'],
  [/memory/, '/guides/start#tensors-and-memory'],
  [/embedded figure/, '/guides/drawing#figures-of-the-page-in-yours'],
]) {
  test(`the navigation has ${words.source}`, () => {
    assert.equal(links.find(({ text }) => words.test(text))?.link, page);
    const [path, anchor] = page.split('#');
    const text = readFileSync(at('docs', `${path}.md`), 'utf8');
    const anchors = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading.toLowerCase());
    assert.ok(anchors.includes(anchor.replaceAll('-', ' ')));
  });
}

test('the page that compares threads, workers and pools comes before them, and they link to it', () => {
  const order = ['scale', 'threads', 'workers'];
  const places = order.map((name) => links.findIndex(({ link }) => link === `/guides/${name}`));
  assert.ok(places[0] >= 0 && places[0] < places[1] && places[1] < places[2], String(places));
  for (const name of ['threads', 'workers']) {
    const [head] = readFileSync(at('docs', 'guides', `${name}.md`), 'utf8').split('```');
    assert.match(head, /\]\(scale\.md\)/);
  }
});

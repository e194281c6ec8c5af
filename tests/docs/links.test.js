// SPDX-License-Identifier: MIT
// The check of the site's links finds what is broken.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkLinks } from '../../scripts/docs/links.mjs';

const folder = mkdtempSync(join(tmpdir(), 'maskflow-links-'));
after(() => rmSync(folder, { recursive: true }));

function complaintsAbout(body) {
  mkdirSync(join(folder, 'docs', 'deep'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<p id="page">');
  writeFileSync(join(folder, 'docs', 'b.html'), '<h2 id="there">There</h2><p id="a&amp;b">');
  writeFileSync(join(folder, 'docs', 'deep', 'a.html'), body);
  return checkLinks(folder);
}

test('links that lead somewhere, and those of other hosts, are left alone', () => {
  const links = [
    '../b.html',
    '../b.html#there',
    '../b.html#a&amp;b',
    '#own',
    '../../',
    '../../#v1/any',
  ];
  const elsewhere = ['https://keras.io/api/', 'mailto:a@b.c'];
  const body = [...links, ...elsewhere].map((href) => `<a href="${href}">`).join('');
  assert.deepEqual(complaintsAbout(`<p id="own">${body}`), []);
});

test('a page may say what its links are relative to', () => {
  assert.deepEqual(complaintsAbout('<base href="../"><a href="b.html#there">'), []);
  assert.deepEqual(complaintsAbout('<base href="../"><a href="../b.html">'), [
    'docs/deep/a.html: ../b.html: no such file',
  ]);
});

for (const [href, complaint] of [
  ['../c.html', 'no such file'],
  ['b.html', 'no such file'],
  ['../', 'no such file'],
  ['../b.html#nowhere', 'no such place in the page'],
  ['#nowhere', 'no such place in the page'],
  ['https://keras.io:port/', 'not an address'],
]) {
  test(`${href}: ${complaint}`, () => {
    assert.deepEqual(complaintsAbout(`<a class="x" href="${href}">`), [
      `docs/deep/a.html: ${href}: ${complaint}`,
    ]);
  });
}

test('a script that is not there', () => {
  assert.deepEqual(complaintsAbout('<script src="no.js"></script>'), [
    'docs/deep/a.html: no.js: no such file',
  ]);
});

// SPDX-License-Identifier: MIT
// The licences of the packages in the page and in the docs: each has a text, of a permissive
// licence.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  bundledLicenses,
  licenseOf,
  packageFolders,
} from '../../scripts/build/bundled_licenses.mjs';
import { at } from '../../scripts/lib/files.mjs';

const folder = mkdtempSync(join(tmpdir(), 'maskflow-licences-'));
after(() => rmSync(folder, { recursive: true }));

/** Writes a package; returns one of its modules. */
function packageWith(name, manifest, files = {}) {
  const place = join(folder, 'node_modules', name);
  mkdirSync(place, { recursive: true });
  const contents = { 'package.json': JSON.stringify({ name, ...manifest }), ...files };
  for (const [file, text] of Object.entries(contents)) writeFileSync(join(place, file), text);
  return join(place, 'index.js');
}

test('finds the packages of modules, each once', () => {
  const folders = packageFolders([
    at('page', 'main.ts'),
    at('node_modules', '@codemirror', 'view', 'dist', 'index.js'),
    `${at('node_modules', '@codemirror', 'view', 'dist', 'other.js')}?worker`,
    at('node_modules', 'vite', 'node_modules', 'esbuild', 'lib', 'main.js'),
    '\0virtual:module',
  ]);
  assert.deepEqual(folders, [
    at('node_modules', '@codemirror', 'view', '/'),
    at('node_modules', 'vite', 'node_modules', 'esbuild', '/'),
  ]);
});

test('writes the text of each package', () => {
  const module = packageWith(
    'fine',
    { license: 'ISC', homepage: 'https://fine.example' },
    {
      'LICENSE.md': 'The terms.\n',
    },
  );
  const text = bundledLicenses('Title.', [module, at('page', 'main.ts')]);
  assert.match(text, /^Title\.\n\n=+\nfine\nISC, https:\/\/fine\.example\n=+\n\nThe terms\.\n$/);
});

test('refuses a package without a licence text', () => {
  const [place] = packageFolders([packageWith('silent', { license: 'MIT' }, { LICENSE: ' \n' })]);
  assert.throws(() => licenseOf(place), { message: /^silent has no licence text in/ });
});

test('refuses a licence that is not permissive, and a missing one', () => {
  for (const license of ['GPL-3.0', 'SEE LICENSE IN x', undefined]) {
    const [place] = packageFolders([packageWith('strict', { license }, { LICENSE: 'text' })]);
    assert.throws(
      () => licenseOf(place),
      (error) => error.message.startsWith(`strict has the licence ${license}, which is not one of`),
    );
  }
});

// SPDX-License-Identifier: MIT
// The page as `npm start` and `npm run docs -- --serve` serve it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { at } from '../../../scripts/lib/files.mjs';
import { serveCompressed } from '../../../scripts/serve.mjs';

test('text and programs are served compressed, and complete', async () => {
  const server = await serveCompressed(at('page'), 0);
  try {
    const encodings = { 'gzip, deflate': 'gzip', 'gzip, deflate, br': 'br', identity: null };
    for (const name of ['index.html', 'icon.svg']) {
      for (const [accepted, encoding] of Object.entries(encodings)) {
        const headers = { 'accept-encoding': accepted };
        const response = await fetch(`${server.url}${name}`, { headers });
        assert.equal(response.headers.get('content-encoding'), encoding, name);
        assert.equal(await response.text(), readFileSync(at('page', name), 'utf8'), name);
      }
    }
    const picture = await fetch(`${server.url}preview.png`);
    assert.equal(picture.headers.get('content-encoding'), null);
  } finally {
    await server.close();
  }
});

test('all servers for people use it', () => {
  for (const name of ['start.mjs', 'docs.mjs', 'serve.mjs'])
    assert.match(readFileSync(at('scripts', name), 'utf8'), /await serveCompressed\(/, name);
});

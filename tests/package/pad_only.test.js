// SPDX-License-Identifier: MIT
// An app that only pads: bundlers leave out the wasm and nearly all of the package.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import { html, writeProject } from '../../bench/visits.mjs';
import { node } from './support/consumer.js';

const program = (entry) => `import { padSequences } from '${entry}';
console.log(JSON.stringify(padSequences([[7, 1, 2], [5]], { padding: 'post' })));\n`;

const target = 'es2022';
const builders = {
  esbuild: (project, outdir) =>
    esbuild({
      entryPoints: [join(project, 'main.js')],
      outdir,
      bundle: true,
      format: 'esm',
      minify: true,
      target,
    }),
  // Without the polyfill, which needs a document, the result also runs in Node.
  vite: (root, outDir) =>
    vite({
      root,
      configFile: false,
      logLevel: 'error',
      build: { outDir, target, modulePreload: { polyfill: false } },
    }),
};

/** Returns the paths of a script and of all scripts that it imports statically. */
function fetched(path, paths = new Set()) {
  paths.add(path);
  const text = readFileSync(path, 'utf8');
  for (const [, name] of text.matchAll(/\bfrom\s*"(\.[^"]+)"|\bimport\s*"(\.[^"]+)"/g))
    if (!paths.has(join(path, '..', name))) fetched(join(path, '..', name), paths);
  return [...paths];
}

suite('an app that only pads', { timeout: 300_000 }, () => {
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'maskflow-pad-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [bundler, build] of Object.entries(builders))
    for (const entry of ['maskflow', 'maskflow/recurrent'])
      test(`built by ${bundler} from ${entry} has no wasm and fetches little`, async () => {
        const files = { 'main.js': program(entry), 'index.html': html('./main.js') };
        const project = writeProject(join(folder, `${bundler}-${entry.replace('/', '-')}`), files);
        const out = join(project, 'out');
        await build(project, out);
        const paths = readdirSync(out, { recursive: true }).map((name) => join(out, name));
        const scripts = paths.filter((path) => path.endsWith('.js'));
        assert.deepEqual(
          paths.filter((path) => path.endsWith('.wasm')),
          [],
        );
        // A module in a script is text in base64, compressed (H4sI) or not.
        for (const path of scripts)
          assert.doesNotMatch(readFileSync(path, 'utf8'), /AGFzbQ|H4sI/, path);
        const first = scripts.find((path) => /(main|index-[\w-]+)\.js$/.test(path));
        const sizes = fetched(first).map((path) => gzipSync(readFileSync(path)).length);
        const bytes = sizes.reduce((sum, size) => sum + size, 0);
        assert.ok(bytes > 1000 && bytes <= 12_000, `${bytes} bytes: ${fetched(first)}`);
        assert.deepEqual(JSON.parse(node(out, first)), [
          [7, 1, 2],
          [5, 0, 0],
        ]);
      });
});

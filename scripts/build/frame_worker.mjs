// SPDX-License-Identifier: MIT
// Builds the scripts of the workers that run programs in a frame without an origin
// (page/engine/frame.ts). Each is one script, because such a frame can import nothing from the
// page. The page sends it the package's chunks when it asks for them: the wasm is most of its
// bytes.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { at } from '../lib/files.mjs';
import { Failure } from '../lib/process.mjs';

/** Imports modules of the page's source. */
async function pageModule(path) {
  const { outputFiles } = await build({
    entryPoints: [at('page', path)],
    bundle: true,
    write: false,
    format: 'esm',
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

/** Returns the hash of the frame's script, which its own policy also contains. */
export async function frameHash() {
  const { frameHash: written, frameScript } = await pageModule('engine/frame.ts');
  const hash = `sha256-${createHash('sha256').update(frameScript).digest('base64')}`;
  if (written !== hash)
    throw new Failure(`page/engine/frame.ts: the hash of its script is ${hash}, not ${written}`);
  return hash;
}

/** Leaves chunks of the package out of a script. */
const chunksOutside = {
  name: 'chunks',
  setup(plugin) {
    plugin.onResolve({ filter: /\/chunks\/[\w-]+\.js$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' && basename(path) !== 'glue.js'
        ? { path: `./chunks/${basename(path)}`, external: true }
        : undefined,
    );
  },
};

const importOfChunk = /\bimport\((["'`])(\.\/chunks\/[\w-]+\.js)\1\)/g;

/** Replaces each import of a chunk by a request to the page; adds the chunk to `chunks`. */
function withRequests(text, chunks) {
  const script = text.replace(importOfChunk, (_, quote, path) => {
    chunks.add(path);
    return `importChunk(${quote}${path}${quote})`;
  });
  const rest = /\bimport\(["'`][^"'`]*["'`]\)/.exec(script);
  if (rest) throw new Failure(`a worker of the page has ${rest[0]}, which no frame can import`);
  return script;
}

/**
 * Writes `KIND.js` of each kind to `folder`, and the chunks that they ask for. Returns the
 * metafiles of the bundler.
 */
export async function buildFrameWorkers({ dist, kinds, folder, options }) {
  const paths = new Set();
  const metafiles = [];
  mkdirSync(join(folder, 'chunks'), { recursive: true });
  for (const kind of kinds) {
    const { outputFiles, metafile } = await build({
      ...options,
      entryPoints: [at('page', 'engine', `${kind}.ts`)],
      plugins: [chunksOutside],
      format: 'iife',
      write: false,
    });
    metafiles.push(metafile);
    writeFileSync(join(folder, `${kind}.js`), withRequests(outputFiles[0].text, paths));
  }
  const { chunks } = await pageModule('engine/names.ts');
  const asked = [...paths].map((path) => `engine/${path.replace('./', '')}`).sort();
  if (asked.join() !== [...chunks].sort().join())
    throw new Failure(`page/engine/names.ts lists other chunks than ${asked.join(', ')}`);
  for (const path of asked) {
    const name = basename(path);
    copyFileSync(join(dist, 'chunks', name), join(folder, 'chunks', name));
  }
  return metafiles;
}

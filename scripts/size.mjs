// SPDX-License-Identifier: MIT
// Measures the files that a page fetches to run a model: the entry with its imports, the glue, and
// the chunk of one variant.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { baseVariant, hasFile, modules, usualVariants } from './build/entries.mjs';
import { checkMain } from './lib/checks.mjs';
import { at } from './lib/files.mjs';
import * as limits from './lib/limits.mjs';

const dist = at('dist');

/** Returns the files of an entry: the entry and the chunks that it imports statically. */
function entryFiles(name, seen = new Set()) {
  if (seen.has(name)) return seen;
  seen.add(name);
  const text = readFileSync(join(dist, name), 'utf8');
  for (const [, next] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) entryFiles(next, seen);
  return seen;
}

/** Returns the files that a dynamically imported chunk needs in addition to those of an entry. */
function addedFiles(chunk, entry) {
  const present = entryFiles(`${entry}.js`);
  const isChunk = new RegExp(`^${chunk}-[\\w-]+\\.js$`);
  const needed = readdirSync(dist)
    .filter((name) => isChunk.test(name))
    .flatMap((name) => [...entryFiles(name)]);
  return [...new Set(needed)].filter((name) => !present.has(name));
}

function sizes(files) {
  const sum = { raw: 0, gzip: 0, brotli: 0 };
  for (const file of files) {
    const bytes = readFileSync(join(dist, file));
    sum.raw += bytes.length;
    sum.gzip += gzipSync(bytes, { level: 9 }).length;
    sum.brotli += brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }).length;
  }
  return sum;
}

/** Returns complaints if the guide's table of entries states another size than a page fetches. */
function wrongFigures(entry, gzip) {
  const name = entry === 'index' ? 'maskflow' : `maskflow/${entry}`;
  const said = new RegExp(`^\\| \`${name}\` \\|.*\\| (\\d+) kB[ ,]`, 'm');
  const path = 'docs/guides/start.md';
  const figure = Number(said.exec(readFileSync(at(path), 'utf8'))?.[1]);
  if (Math.abs(figure * 1000 - gzip) <= 1000) return [];
  return [`${path} says that ${name} takes ${figure} kB; a page fetches ${gzip} bytes`];
}

/** Returns the files with the wasm of a variant that a page fetches: as scripts, and as files. */
function wasmFiles(module, variant) {
  const { entry, prefix } = module;
  const chunkOf = (name) => `chunks/${prefix}${name}.js`;
  const fileOf = (name) => `maskflow-${prefix}${name}.wasm`;
  const parts =
    variant === baseVariant ? [] : [chunkOf(variant), ...addedFiles('other_wasm', entry)];
  return {
    chunks: [chunkOf(baseVariant), ...parts],
    files: hasFile(module, variant) ? [fileOf(variant)] : [fileOf(baseVariant), ...parts],
  };
}

/** Prints what a page fetches for a variant, and returns complaints. */
function checkPage(module, variant, row) {
  const { entry, wasmEntry } = module;
  const scripts = [...entryFiles(`${entry}.js`)];
  const { chunks, files } = wasmFiles(module, variant);
  const more = variant === baseVariant ? 0 : (limits.difference[entry] ?? 0);
  const page = sizes([...scripts, ...chunks]);
  row(`${entry} ${variant} wasm`, sizes(chunks));
  row(`${entry} ${variant} page`, page);
  const complaints = variant === baseVariant ? wrongFigures(entry, page.gzip) : [];
  if (page.gzip > limits.page[entry] + more) {
    complaints.push(
      `a page with the entry ${entry} (${variant}) fetches ${page.gzip} bytes gzipped; the limit is ${limits.page[entry] + more}`,
    );
  }
  const reader = addedFiles('other_wasm', entry);
  const byFile = sizes([...new Set([...scripts, ...reader, `${wasmEntry}.js`, ...files])]);
  row(`${entry} ${variant} file`, sizes(files));
  row(`${entry} ${variant} page, file`, byFile);
  const max = limits.pageWithFile[entry] + (hasFile(module, variant) ? 0 : more);
  if (byFile.brotli > max) {
    complaints.push(
      `a page with the entry ${entry} and its wasm as a file (${variant}) fetches ${byFile.brotli} bytes in brotli; the limit is ${max}`,
    );
  }
  return complaints;
}

export function checkSize() {
  const complaints = [];
  const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`.padStart(10);
  const row = (title, { raw, gzip, brotli }) =>
    console.log(`${title.padEnd(28)}${kB(raw)}${kB(gzip)}${kB(brotli)}`);
  console.log(
    `${''.padEnd(28)}${'raw'.padStart(10)}${'gzip'.padStart(10)}${'brotli'.padStart(10)}`,
  );
  row('glue', sizes(['chunks/glue.js']));
  for (const module of modules) {
    row(module.entry, sizes([...entryFiles(`${module.entry}.js`)]));
    for (const variant of usualVariants) complaints.push(...checkPage(module, variant, row));
  }
  // A page with the recurrent layers must not fetch parts of the entry with all layers for a file.
  for (const entry of ['index', 'recurrent']) {
    const loading = sizes(addedFiles('reading', entry));
    row(`loading adds to ${entry}`, loading);
    if (loading.gzip > limits.loading) {
      complaints.push(
        `loading a .keras adds ${loading.gzip} bytes gzipped to ${entry}; the limit is ${limits.loading}`,
      );
    }
  }
  return [...complaints, ...checkTorch(row), ...checkDrawing(row)];
}

function checkTorch(row) {
  const [torch, index] = ['torch.js', 'index.js'].map((name) => sizes([...entryFiles(name)]));
  const added = Object.keys(torch).map((unit) => [unit, torch[unit] - index[unit]]);
  const entry = Object.fromEntries(added);
  const reading = sizes(addedFiles('read_torch', 'torch'));
  row('torch adds to index', entry);
  row('reading a .pth adds', reading);
  return Object.entries({ entry, reading })
    .filter(([part, { gzip }]) => gzip > limits.torch[part])
    .map(
      ([part, { gzip }]) =>
        `maskflow/torch adds ${gzip} bytes gzipped (${part}); the limit is ${limits.torch[part]}`,
    );
}

function checkDrawing(row) {
  const drawing = sizes(['draw.js']);
  row('maskflow/draw adds', drawing);
  const complaints = wrongFigures('draw', drawing.gzip);
  if (drawing.gzip > limits.drawing) {
    complaints.push(
      `maskflow/draw adds ${drawing.gzip} bytes gzipped; the limit is ${limits.drawing}`,
    );
  }
  return complaints;
}

await checkMain(import.meta.url, checkSize);

// SPDX-License-Identifier: MIT
// Measures the files that a page fetches to run a model: the entry with its imports, the glue, and the
// chunk of one variant.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { baseVariant, hasFile, modules, usualVariants } from './build/entries.mjs';
import { checkMain } from './lib/checks.mjs';
import { at } from './lib/files.mjs';

/**
 * Limits on the gzipped bytes of a page: with the entry for recurrent models, and with all layers. The
 * goal is 146 and 235 kB.
 */
// Cost of some properties, in kB of the two pages:
// - errors that name the remedy, and refusals of hostile files: 14 and 21;
// - hooks for training in ops, layers and models: 1.0 and 1.3;
// - equal rows computed once (src/layer/distinct_rows): 0.6 and 1.2;
// - files loaded with one copy of their bytes, and faster kernels for rows: 0.9 and 2.2;
// - a probe of the CPU, wasm checked by version and transferred within bounds, nested structures,
//   text shown without control characters, sizes of batches and inference of shapes as in Keras,
//   kept products tied to versions, exact 8-bit products: 3.1 and 5.3;
// - relaxed kernels that are not inlined (docs/internals/bytes.md): 0 and 0.4;
// - initializers, regularizers and the order of einsum as in Keras: 0.1 and 0.5;
// - what to write for the first mistakes (model/predict_options): 0.2 and 0.2;
// - ops of sequence models, control flow and random functions: 0.2 and 4.7;
// - losses that layers add, steps of classes of models: 0.1 and 0.5;
// - starting with several threads: 0.9 and 1.5;
// - layers called in streams without the protocol of calls, holders that layers know, arrays as masks,
//   sources and stored models, symbols of layers: 2.5 and 4.4;
// - dtypes and settings of ops as in Keras, weights assigned in calls, operations with functions: 0.9
//   and 1.1;
// - 64-bit integers, batches that arrive later, names of other programs in `layers`: 0.7 and 0.8;
// - `training` as in Keras 3.15 and 3.16, a finite gradient of normalize, axes that are checked, ReLU of
//   integers: 0.2 and 0.3;
// - several ranges of lanes for each thread, axes joined before elementwise ops, masks by words, inputs of a
//   Sequential after its first call, layers that print what they are: 0.7 and 0.2.
// Names as single words (src/base/name.hpp), values assigned without a temporary, and functions of
// our own that make objects for JavaScript (bindings/js_value) saved 3.4 and 5.2. Types registered once,
// glue without unused parts, edges of products in a buffer and loops that are not unrolled saved 4.2
// and 7.4.
// - masks put back in graphs, layers that warn once, recursive `trainable`, states and adopted layers,
//   hooks of classes of models, copies that keep their class, tensors as values, options by position:
//   8.1 and 12.5. The goal was 1 and 2; two fifths are in the wasm. Errors of `ready`, words about
//   layers that recurrent pages lack and a pass of the linker saved 1.5 and 1.2. The rest runs in calls
//   that return at once, so that no chunk on demand can contain it.
// - configs that cross in one piece, options by position, hints for names of other programs: 1.0 and 1.6.
const budgets = { recurrent: 172_700, index: 280_000 };
const loadingBudget = 40_000;
/**
 * Further bytes that an engine without relaxed SIMD may fetch: there, `simd` is computed from
 * `relaxed`. As scripts and files of their own, these modules would be 1.1 MB of the package.
 */
const differenceBudgets = { recurrent: 7_000, index: 18_000 };
/**
 * Limits on the gzipped bytes of maskflow/torch: what its entry adds to `maskflow`, and what a page
 * fetches when it reads a file (half of that is also what loadModel fetches).
 */
const torchBudgets = { entry: 8000, reading: 31_600 };
/**
 * Limit on the gzipped bytes that maskflow/draw adds to a page with another entry: its own file. The
 * goal is 8 kB. A third is drawModel, and a third is shared by all figures.
 */
const drawingBudget = 9_750;
/**
 * Limits on the bytes with the wasm as a file (maskflow/wasm), in brotli at its highest quality, as hosts
 * and CDNs store static files. The goal is 115 and 190 kB.
 */
const fileBudgets = { recurrent: 156_600, index: 250_400 };
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
    variant === baseVariant ? [] : [chunkOf(variant), ...addedFiles('wasm_patch', entry)];
  return {
    chunks: [chunkOf(baseVariant), ...parts],
    files: hasFile(module, variant) ? [fileOf(variant)] : [fileOf(baseVariant), ...parts],
  };
}

/** Prints what a page fetches for a variant, and returns complaints. */
function checkPage(module, variant, row) {
  const { entry, wasmEntry } = module;
  const scripts = [...entryFiles(`${entry}.js`), 'chunks/glue.js'];
  const { chunks, files } = wasmFiles(module, variant);
  const more = variant === baseVariant ? 0 : (differenceBudgets[entry] ?? 0);
  const page = sizes([...scripts, ...chunks]);
  row(`${entry} ${variant} wasm`, sizes(chunks));
  row(`${entry} ${variant} page`, page);
  const complaints = variant === baseVariant ? wrongFigures(entry, page.gzip) : [];
  if (page.gzip > budgets[entry] + more) {
    complaints.push(
      `a page with the entry ${entry} (${variant}) fetches ${page.gzip} bytes gzipped; the budget is ${budgets[entry] + more}`,
    );
  }
  const reader = addedFiles('wasm_source', entry);
  const byFile = sizes([...new Set([...scripts, ...reader, `${wasmEntry}.js`, ...files])]);
  row(`${entry} ${variant} file`, sizes(files));
  row(`${entry} ${variant} page, file`, byFile);
  const most = fileBudgets[entry] + (hasFile(module, variant) ? 0 : more);
  if (byFile.brotli > most) {
    complaints.push(
      `a page with the entry ${entry} and its wasm as a file (${variant}) fetches ${byFile.brotli} bytes in brotli; the budget is ${most}`,
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
    const loading = sizes(addedFiles('load', entry));
    row(`loading adds to ${entry}`, loading);
    if (loading.gzip > loadingBudget) {
      complaints.push(
        `loading a .keras adds ${loading.gzip} bytes gzipped to ${entry}; the budget is ${loadingBudget}`,
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
    .filter(([part, { gzip }]) => gzip > torchBudgets[part])
    .map(
      ([part, { gzip }]) =>
        `maskflow/torch adds ${gzip} bytes gzipped (${part}); the budget is ${torchBudgets[part]}`,
    );
}

function checkDrawing(row) {
  const drawing = sizes(['draw.js']);
  row('maskflow/draw adds', drawing);
  const complaints = wrongFigures('draw', drawing.gzip);
  if (drawing.gzip > drawingBudget) {
    complaints.push(
      `maskflow/draw adds ${drawing.gzip} bytes gzipped; the budget is ${drawingBudget}`,
    );
  }
  return complaints;
}

await checkMain(import.meta.url, checkSize);

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

/** Returns what a page fetches for a variant: with the wasm as scripts, and as files. */
function pageRows(module, variant) {
  const { entry, wasmEntry } = module;
  const scripts = [...entryFiles(`${entry}.js`)];
  const { chunks, files } = wasmFiles(module, variant);
  const byFile = [...scripts, ...addedFiles('other_wasm', entry), `${wasmEntry}.js`, ...files];
  const more = variant === baseVariant ? 0 : (limits.difference[entry] ?? 0);
  const title = `${entry} ${variant}`;
  return [
    { title: `${title} wasm`, size: sizes(chunks) },
    {
      title: `${title} page`,
      size: sizes([...scripts, ...chunks]),
      max: { gzip: limits.page[entry] + more },
      said: variant === baseVariant && entry,
    },
    { title: `${title} file`, size: sizes(files) },
    {
      title: `${title} page, file`,
      size: sizes([...new Set(byFile)]),
      max: { brotli: limits.pageWithFile[entry] + (hasFile(module, variant) ? 0 : more) },
    },
  ];
}

/** Returns what the entry for PyTorch's files adds to `maskflow`. */
function torchSize() {
  const [torch, index] = ['torch.js', 'index.js'].map((name) => sizes([...entryFiles(name)]));
  return Object.fromEntries(Object.keys(torch).map((unit) => [unit, torch[unit] - index[unit]]));
}

/**
 * Returns the table of sizes: `max` has the limits by unit; `said` is the entry whose size the
 * guide states.
 */
const rows = () => [
  { title: 'glue', size: sizes(['chunks/glue.js']) },
  ...modules.flatMap((module) => [
    { title: module.entry, size: sizes([...entryFiles(`${module.entry}.js`)]) },
    ...usualVariants.flatMap((variant) => pageRows(module, variant)),
  ]),
  // A page with the recurrent layers must not fetch parts of the entry with all layers for a file.
  ...['index', 'recurrent'].map((entry) => ({
    title: `loading adds to ${entry}`,
    size: sizes(addedFiles('reading', entry)),
    max: { gzip: limits.loading },
  })),
  { title: 'torch adds to index', size: torchSize(), max: { gzip: limits.torch.entry } },
  {
    title: 'reading a .pth adds',
    size: sizes(addedFiles('read_torch', 'torch')),
    max: { gzip: limits.torch.reading },
  },
  {
    title: 'maskflow/draw adds',
    size: sizes(['draw.js']),
    max: { gzip: limits.drawing },
    said: 'draw',
  },
  {
    title: 'maskflow/port',
    size: sizes([...entryFiles('port.js')]),
    max: { gzip: limits.translating },
  },
];

export function checkSize() {
  const units = ['raw', 'gzip', 'brotli'];
  const print = (title, cells) =>
    console.log(title.padEnd(28) + cells.map((cell) => cell.padStart(10)).join(''));
  print('', units);
  return rows().flatMap(({ title, size, max = {}, said }) => {
    print(
      title,
      units.map((unit) => `${(size[unit] / 1000).toFixed(1)} kB`),
    );
    const tooMuch = Object.entries(max)
      .filter(([unit, limit]) => size[unit] > limit)
      .map(([unit, limit]) => `${title}: ${size[unit]} bytes in ${unit}; the limit is ${limit}`);
    return [...tooMuch, ...(said ? wrongFigures(said, size.gzip) : [])];
  });
}

await checkMain(import.meta.url, checkSize);

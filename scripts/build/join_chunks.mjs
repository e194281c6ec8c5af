// SPDX-License-Identifier: MIT
// Joins the chunks that an entry of the page imports at once into one file. esbuild makes a chunk
// for each set of entries that share a module: a dozen files of few bytes for the page's script,
// and browsers request six at a time.
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { at } from '../lib/files.mjs';

/** Returns the files that a file imports, and that these import, as paths of the metafile. */
export function importedBy(file, { outputs }, found = new Set()) {
  for (const { kind, path } of outputs[file].imports) {
    if (kind !== 'import-statement' || found.has(path)) continue;
    found.add(path);
    importedBy(path, { outputs }, found);
  }
  return found;
}

/** Reads modules from texts in memory, by their paths. */
const fromMemory = (texts) => ({
  name: 'from memory',
  resolveId(source, importer) {
    const path = importer === undefined ? source : join(dirname(importer), source);
    return texts.has(path) ? path : { id: source, external: true };
  },
  load: (id) => texts.get(id) ?? null,
});

/**
 * Writes the files of a build to its folder, joined for `first`, one of its entries. `entries` are
 * names without endings. Returns the files that each entry imports at once, by its name.
 */
export async function writeJoined({ outputFiles, metafile }, { folder, entries, first }) {
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]));
  const pathOf = (entry) => join(folder, `${entry}.mjs`);
  const firstFile = Object.keys(metafile.outputs).find((path) => at(path) === pathOf(first));
  const joined = new Set([...importedBy(firstFile, metafile)].map((path) => at(path)));
  const bundle = await rolldown({
    cwd: at(),
    platform: 'browser',
    input: Object.fromEntries(entries.map((entry) => [entry, pathOf(entry)])),
    plugins: [fromMemory(texts)],
    // esbuild has removed what is not used.
    treeshake: false,
    preserveEntrySignatures: 'allow-extension',
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    minify: true,
    entryFileNames: '[name].mjs',
    // The names that esbuild gave end in a hash of the files before they were joined.
    chunkFileNames: ({ name }) => `chunks/${name.replace(/-[A-Z0-9]{8}$/, '')}-[hash].mjs`,
    codeSplitting: {
      groups: [{ name: 'shared', test: (id) => joined.has(id) || id.includes('rolldown/runtime') }],
    },
  });
  await bundle.close();
  const importsOf = new Map(output.map(({ fileName, imports }) => [fileName, imports ?? []]));
  return new Map(entries.map((entry) => [entry, importsOf.get(`${entry}.mjs`)]));
}

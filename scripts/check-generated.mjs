// SPDX-License-Identifier: MIT
// Checks that generated files are up to date: TypeScript and the table of layers with the core's schema,
// package.json and others with the list of entries.
import { readFileSync, writeFileSync } from 'node:fs';
import { generatedFiles, writeGenerated, writeSchema } from './build.mjs';
import { staleEntryFiles } from './build/write_entries.mjs';
import { checkMain, short } from './lib/checks.mjs';

/** Compares the files with new ones and restores them, because a check must not change files. */
export async function checkGenerated() {
  const read = () => new Map(generatedFiles().map((path) => [path, readFileSync(path, 'utf8')]));
  const before = read();
  const { path: schema } = await writeSchema();
  await writeGenerated(schema);
  const stale = [...read()].filter(([path, text]) => before.get(path) !== text);
  for (const [path] of stale) if (before.has(path)) writeFileSync(path, before.get(path));
  const entryFiles = staleEntryFiles().map(
    ([path]) => `${path}: differs from scripts/build/entries.mjs; run npm run build`,
  );
  const fromSchema = stale.map(
    ([path]) => `${short(path)}: differs from the schema; run npm run build`,
  );
  return [...entryFiles, ...fromSchema];
}

await checkMain(import.meta.url, checkGenerated);

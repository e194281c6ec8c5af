// SPDX-License-Identifier: MIT
// The generated TypeScript and the table of layers in the tree are what the core's schema gives today.
import { readFileSync, writeFileSync } from 'node:fs';
import { generatedFiles, writeGenerated, writeSchema } from './build.mjs';
import { staleEntryFiles } from './build/write_entries.mjs';
import { checkMain, short } from './lib/checks.mjs';

/** The committed files are compared with fresh ones and put back: a check changes nothing. */
export async function checkGenerated() {
  const read = () => new Map(generatedFiles().map((path) => [path, readFileSync(path, 'utf8')]));
  const before = read();
  const { path: schema } = await writeSchema();
  await writeGenerated(schema);
  const stale = [...read()].filter(([path, text]) => before.get(path) !== text);
  for (const [path] of stale) if (before.has(path)) writeFileSync(path, before.get(path));
  const entryFiles = staleEntryFiles().map(
    ([path]) => `${path}: not what scripts/build/entries.mjs says; run npm run build`,
  );
  const fromSchema = stale.map(
    ([path]) => `${short(path)}: not what the schema gives; run npm run build`,
  );
  return [...entryFiles, ...fromSchema];
}

await checkMain(import.meta.url, checkGenerated);

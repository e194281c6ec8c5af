// SPDX-License-Identifier: MIT
// Compares the committed TypeScript and table of layers with what the core's schema generates
// today.
import { readFileSync, writeFileSync } from 'node:fs';
import { generateAgain, generatedFiles } from './build/generated.mjs';
import { staleEntryFiles } from './build/write_entries.mjs';
import { checkMain } from './lib/checks.mjs';
import { short } from './lib/files.mjs';

/**
 * Compares the committed files with newly generated ones. The committed files are restored, so the
 * check changes nothing.
 */
export async function checkGenerated(env = process.env) {
  const read = () => new Map(generatedFiles().map((path) => [path, readFileSync(path, 'utf8')]));
  const before = read();
  await generateAgain(env);
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

// SPDX-License-Identifier: MIT
// The generated TypeScript in the tree is what the core's schema gives today.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { writeSchema } from './build.mjs';
import { checkMain, short } from './lib/checks.mjs';
import { at, filesUnder } from './lib/files.mjs';
import { runQuietly } from './lib/process.mjs';

/** The committed files are compared with fresh ones and put back: a check changes nothing. */
export async function checkGenerated() {
  const generator = at('scripts', 'generate.mjs');
  if (!existsSync(generator)) return [];
  const read = () =>
    new Map(filesUnder('web/src', /\.gen\.ts$/).map((path) => [path, readFileSync(path, 'utf8')]));
  const before = read();
  await runQuietly('node', [generator, await writeSchema()]);
  const stale = [...read()].filter(([path, text]) => before.get(path) !== text);
  for (const [path] of stale) if (before.has(path)) writeFileSync(path, before.get(path));
  return stale.map(([path]) => `${short(path)}: not what the schema gives; run npm run build`);
}

await checkMain(import.meta.url, checkGenerated);

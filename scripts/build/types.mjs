// SPDX-License-Identifier: MIT
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { at, filesUnder } from '../lib/files.mjs';
import { runQuietly } from '../lib/process.mjs';
import { entries } from './bundle.mjs';

/**
 * Declarations, twice: TypeScript takes a `.d.ts` for ESM or CommonJS by the nearest package.json,
 * and refuses to `require` what it takes for ESM.
 */
export async function writeTypes() {
  // Kept between builds: what has not changed is neither checked nor written again.
  const made = at('build', 'types');
  const state = at('build', 'types.tsbuildinfo');
  const kept = ['--incremental', '--tsBuildInfoFile', state];
  await runQuietly('node', [
    at('node_modules', 'typescript', 'bin', 'tsc'),
    ...['-p', at('tsconfig.json'), '--emitDeclarationOnly', '--outDir', made, ...kept],
  ]);
  removeStale(made);
  for (const folder of ['types', 'types-cjs'])
    cpSync(made, at('dist', folder), { recursive: true });
  writeFileSync(at('dist', 'types-cjs', 'package.json'), '{ "type": "commonjs" }\n');
  // The declarations name Symbol.dispose, which older `lib` settings lack.
  const lib = '/// <reference lib="esnext.disposable" />\n';
  for (const entry of entries) {
    writeFileSync(at('dist', `${entry}.d.ts`), `${lib}export * from './types/${entry}.js';\n`);
    writeFileSync(at('dist', `${entry}.d.cts`), `${lib}export * from './types-cjs/${entry}.js';\n`);
  }
}

/** Declarations of sources that are no longer there. */
function removeStale(made) {
  for (const path of filesUnder('build/types')) {
    const source = relative(made, path).replace(/\.d\.ts$/, '.ts');
    if (!existsSync(at('web', 'src', source))) rmSync(path);
  }
}

// SPDX-License-Identifier: MIT
import { cpSync, writeFileSync } from 'node:fs';
import { at } from '../lib/files.mjs';
import { runQuietly } from '../lib/process.mjs';
import { entries } from './bundle.mjs';

/**
 * Declarations, twice: TypeScript takes a `.d.ts` for ESM or CommonJS by the nearest package.json,
 * and refuses to `require` what it takes for ESM.
 */
export async function writeTypes() {
  const types = at('dist', 'types');
  await runQuietly('node', [
    at('node_modules', 'typescript', 'bin', 'tsc'),
    ...['-p', at('tsconfig.json'), '--emitDeclarationOnly', '--outDir', types],
  ]);
  cpSync(types, `${types}-cjs`, { recursive: true });
  writeFileSync(at('dist', 'types-cjs', 'package.json'), '{ "type": "commonjs" }\n');
  // The declarations name Symbol.dispose, which older `lib` settings lack.
  const lib = '/// <reference lib="esnext.disposable" />\n';
  for (const entry of entries) {
    writeFileSync(at('dist', `${entry}.d.ts`), `${lib}export * from './types/${entry}.js';\n`);
    writeFileSync(at('dist', `${entry}.d.cts`), `${lib}export * from './types-cjs/${entry}.js';\n`);
  }
}

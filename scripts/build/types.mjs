// SPDX-License-Identifier: MIT
// Builds the declarations of the package from web/src.
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { at, filesUnder } from '../lib/files.mjs';
import { Failure, runQuietly } from '../lib/process.mjs';
import { tsc } from '../lib/tsc.mjs';
import { entries, sharing, sourceOf } from './entries.mjs';

// Added to the declarations, which use Symbol.dispose: older `lib` settings lack it.
const lib = '/// <reference lib="esnext.disposable" />\n';

/**
 * Writes the declarations: a file for each entry, and files that entries share. They are `.d.cts`
 * files, because TypeScript refuses to `require` declarations of ESM. A `.d.ts` is one line that
 * exports the same types.
 */
export async function writeTypes() {
  // The folder is kept between builds, so that unchanged files are neither checked nor written
  // again.
  const folder = at('build', 'types');
  const state = at('build', 'types.tsbuildinfo');
  const incremental = ['--incremental', '--tsBuildInfoFile', state];
  await runQuietly('node', [
    tsc,
    ...['-p', at('tsconfig.json'), '--emitDeclarationOnly', '--outDir', folder, ...incremental],
  ]);
  removeStale(folder);
  await rollUp(folder);
  copyFileSync(at('scripts', 'build', 'platform.d.ts'), at('dist', 'types', 'platform.d.cts'));
  // Declarations of maskflow/single: the names of maskflow, and `serve` of maskflow/worker.
  const single = "export * from './index.cjs';\nexport { serve } from './worker.cjs';\n";
  writeFileSync(at('dist', 'single.d.cts'), lib + single);
  for (const entry of entries) {
    writeFileSync(at('dist', `${entry}.d.ts`), `${lib}export * from './${entry}.cjs';\n`);
  }
}

/**
 * Imports the platform's names from platform.d.ts, because projects without "dom" in `lib` lack
 * them.
 */
const platformNames = {
  name: 'platform names',
  renderChunk(code, { fileName }) {
    const declared = readFileSync(at('scripts', 'build', 'platform.d.ts'), 'utf8');
    const names = [...declared.matchAll(/^export (?:type|namespace) (\w+)/gm)]
      .map(([, name]) => name)
      .filter((name) => new RegExp(`(?<![.'\\w])${name}\\b(?!['\\w])`).test(code));
    const folder = fileName.startsWith('types/') ? '.' : './types';
    const statement =
      names.length > 0
        ? `import type { ${names.join(', ')} } from '${folder}/platform.cjs';\n`
        : '';
    // Declares the global for classic scripts that load maskflow.iife.js.
    const global = fileName === 'index.d.cts' ? 'export as namespace maskflow;\n' : '';
    return { code: lib + statement + code + global, map: null };
  },
};

async function rollUp(folder) {
  const bundle = await rollup({
    input: Object.fromEntries(
      sharing.map((name) => [name, `${folder}/${sourceOf(name).replace(/\.ts$/, '.d.ts')}`]),
    ),
    plugins: [dts(), platformNames],
    onwarn(warning) {
      // Ignores types of the public API that have no exported name on purpose.
      if (/private shared type exports/.test(warning.message)) return;
      throw new Failure(warning.message);
    },
  });
  await bundle.write({
    dir: at('dist'),
    entryFileNames: '[name].d.cts',
    chunkFileNames: ({ name }) => `types/${name.replace(/(\.gen)?\.d$/, '')}.d.cts`,
  });
  await bundle.close();
}

/** Removes declarations of deleted sources. */
function removeStale(folder) {
  for (const path of filesUnder('build/types')) {
    const source = relative(folder, path).replace(/\.d\.ts$/, '.ts');
    if (!existsSync(at('web', 'src', source))) rmSync(path);
  }
}

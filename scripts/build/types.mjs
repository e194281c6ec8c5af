// SPDX-License-Identifier: MIT
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { at, filesUnder } from '../lib/files.mjs';
import { Failure, runQuietly } from '../lib/process.mjs';
import { entries, sharing, sourceOf } from './entries.mjs';

// The declarations name Symbol.dispose, which older `lib` settings lack.
const lib = '/// <reference lib="esnext.disposable" />\n';

/**
 * Declarations: a file for each entry, and what entries share. They are `.d.cts`, for TypeScript refuses to `require` what it takes
 * for ESM; those for ESM are one line that hands on the same types.
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
  await rollUp(made);
  copyFileSync(at('scripts', 'build', 'platform.d.ts'), at('dist', 'types', 'platform.d.cts'));
  // The same names again, and one of the workers'.
  const single = "export * from './index.cjs';\nexport { serve } from './worker.cjs';\n";
  writeFileSync(at('dist', 'single.d.cts'), lib + single);
  for (const entry of entries) {
    writeFileSync(at('dist', `${entry}.d.ts`), `${lib}export * from './${entry}.cjs';\n`);
  }
}

/** Names of the platform that the file uses come from platform.d.ts: a project without "dom" in `lib` lacks them. */
const platformNames = {
  name: 'platform names',
  renderChunk(code, { fileName }) {
    const declared = readFileSync(at('scripts', 'build', 'platform.d.ts'), 'utf8');
    const names = [...declared.matchAll(/^export (?:type|namespace) (\w+)/gm)]
      .map(([, name]) => name)
      .filter((name) => new RegExp(`(?<![.'\\w])${name}\\b(?!['\\w])`).test(code));
    const folder = fileName.startsWith('types/') ? '.' : './types';
    const used =
      names.length > 0
        ? `import type { ${names.join(', ')} } from '${folder}/platform.cjs';\n`
        : '';
    // For scripts, which have it from maskflow.iife.js.
    const global = fileName === 'index.d.cts' ? 'export as namespace maskflow;\n' : '';
    return { code: lib + used + code + global, map: null };
  },
};

async function rollUp(made) {
  const bundle = await rollup({
    input: Object.fromEntries(
      sharing.map((name) => [name, `${made}/${sourceOf(name).replace(/\.ts$/, '.d.ts')}`]),
    ),
    plugins: [dts(), platformNames],
    onwarn(warning) {
      // Types without a name of their own in the public API: there are some on purpose.
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

/** Declarations of sources that are no longer there. */
function removeStale(made) {
  for (const path of filesUnder('build/types')) {
    const source = relative(made, path).replace(/\.d\.ts$/, '.ts');
    if (!existsSync(at('web', 'src', source))) rmSync(path);
  }
}

// SPDX-License-Identifier: MIT
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import * as esbuild from 'esbuild';
import { at } from '../lib/files.mjs';
import { Failure } from '../lib/process.mjs';

/** The chunks beside the entry are written by chunks.mjs; their imports have to stay as they are. */
const leaveChunks = {
  name: 'leave-chunks',
  setup(build) {
    build.onResolve({ filter: /^\.\/chunks\// }, ({ path }) => ({ path, external: true }));
  },
};

/** Entries of their own share the main one, whose state there must be once: they import it as it is. */
const leaveMain = (file) => ({
  name: 'leave-main',
  setup(build) {
    build.onResolve({ filter: /\/index\.js$/ }, () => ({ path: `./${file}`, external: true }));
  },
});

const common = {
  absWorkingDir: at(),
  entryPoints: ['web/src/index.ts'],
  outdir: 'dist',
  bundle: true,
  platform: 'neutral',
  target: 'es2022',
  external: ['node:*'],
  plugins: [leaveChunks],
  minify: true,
  // Stack traces are read through these; a page does not fetch them.
  sourcemap: true,
  lineLimit: 160,
  legalComments: 'none',
  logLevel: 'silent',
};

export async function bundle() {
  try {
    await esbuild.build({
      ...common,
      // The command shares the package's state; it is no CommonJS module.
      entryPoints: { index: 'web/src/index.ts', cli: 'web/cli/main.ts' },
      format: 'esm',
      // What the sources import() becomes a chunk of its own, beside the entry because all of them
      // refer to ./chunks/.
      splitting: true,
      chunkNames: '[name]-[hash]',
    });
    await esbuild.build({ ...common, format: 'cjs', outExtension: { '.js': '.cjs' } });
    const text = { ...common, entryPoints: ['web/src/text.ts'] };
    await esbuild.build({ ...text, format: 'esm', plugins: [leaveMain('index.js')] });
    await esbuild.build({
      ...text,
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
      plugins: [leaveMain('index.cjs')],
    });
    makeProgram(at('dist', 'cli.js'));
  } catch (error) {
    const text = await esbuild.formatMessages(error.errors ?? [], { kind: 'error' });
    throw new Failure(text.join('\n') || error.message);
  }
}

/** npm links commands to files that say what runs them. */
function makeProgram(path) {
  writeFileSync(path, `#!/usr/bin/env node\n${readFileSync(path, 'utf8')}`);
  chmodSync(path, 0o755);
}

// SPDX-License-Identifier: MIT
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
      format: 'esm',
      // What the sources import() becomes a chunk of its own, beside the entry because all of them
      // refer to ./chunks/.
      splitting: true,
      chunkNames: '[name]-[hash]',
    });
    await esbuild.build({ ...common, format: 'cjs', outExtension: { '.js': '.cjs' } });
  } catch (error) {
    const text = await esbuild.formatMessages(error.errors ?? [], { kind: 'error' });
    throw new Failure(text.join('\n') || error.message);
  }
}

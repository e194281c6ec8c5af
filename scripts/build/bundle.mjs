// SPDX-License-Identifier: MIT
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import * as esbuild from 'esbuild';
import { at, filesUnder } from '../lib/files.mjs';
import { Failure } from '../lib/process.mjs';

/** What a user can import: maskflow, maskflow/recurrent, maskflow/text. */
export const entries = ['index', 'recurrent', 'text'];

const entryPoints = [
  ...entries.map((name) => ({ in: `web/src/${name}.ts`, out: name })),
  // The command shares the package's state; it is no CommonJS module.
  { in: 'web/cli/main.ts', out: 'cli' },
];

/** The chunks beside the entry are written by chunks.mjs; their imports have to stay as they are. */
const leaveChunks = {
  name: 'leave-chunks',
  setup(build) {
    build.onResolve({ filter: /^\.\/chunks\// }, ({ path }) => ({ path, external: true }));
  },
};

const common = {
  absWorkingDir: at(),
  entryPoints,
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
      // What entries share, and what the sources import(), becomes a chunk of its own; beside the entries
      // because all of them refer to ./chunks/.
      splitting: true,
      chunkNames: '[name]-[hash]',
    });
    for (const path of filesUnder('dist', /dist[/\\](?!cli)[^/\\]+\.js$/))
      await writeCommonJS(path);
    makeProgram(at('dist', 'cli.js'));
  } catch (error) {
    const text = await esbuild.formatMessages(error.errors ?? [], { kind: 'error' });
    throw new Failure(text.join('\n') || error.message);
  }
}

/** The same files for `require`: shared chunks, and with them the one state, stay shared. */
async function writeCommonJS(path) {
  const source = readFileSync(path, 'utf8');
  const { code } = await esbuild.transform(
    source.replace(/(\b(?:from|import)\s*\(?)"(\.\/[^"/]+)\.js"/g, '$1"$2.cjs"'),
    {
      format: 'cjs',
      minify: true,
      target: 'es2022',
      lineLimit: 160,
      legalComments: 'none',
      platform: 'node',
    },
  );
  writeFileSync(path.replace(/\.js$/, '.cjs'), code);
}

/** npm links commands to files that say what runs them. */
function makeProgram(path) {
  writeFileSync(path, `#!/usr/bin/env node\n${readFileSync(path, 'utf8')}`);
  chmodSync(path, 0o755);
}

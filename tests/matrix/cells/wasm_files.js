// SPDX-License-Identifier: MIT
// maskflow/recurrent/wasm: the wasm as a file of its own. Bundlers that know `new URL('…',
// import.meta.url)` make an asset of it; others leave the address as it is, and the file is copied
// beside the bundle.
import { copyFileSync, readFileSync } from 'node:fs';
import { html } from '../lib/entries.js';
import { same } from '../lib/judge.js';
import { visitFolder } from '../lib/pages.js';
import { recipes } from '../lib/recipes.js';
import { warningIn } from '../lib/warnings.js';

const recipe = 'Fewer bytes';

/**
 * The script of the recipe, followed by the test programs, which use the instance that it has
 * started.
 */
const pageScript = `${recipes[recipe]['main.js']}
import * as mf from 'maskflow/recurrent';
import { check } from './check.mjs';
model.dispose();
const source = new URL('/brackets.keras', location.href);
check({ mf }, { only: ['core', 'load'], source }).then((result) => { window.result = result; });
`;

/**
 * Checks that exactly one wasm file was fetched, and no script that contains one (gzip in base64
 * begins with H4sI).
 */
function judgeFiles(files) {
  const count = files.filter((file) => file.endsWith('.wasm')).length;
  const inside = files.filter(
    (file) => file.endsWith('.js') && /["'`]H4sI/.test(readFileSync(file, 'utf8')),
  );
  const wasm =
    count === 1 && inside.length === 0
      ? 'ok'
      : `${count} files of wasm and ${inside.length} scripts with it inside were fetched`;
  return { wasm };
}

/**
 * Defines a cell. `args` is the command, and `script` the name of the entry in `dist`. With `copy`,
 * the cell itself copies the wasm files there.
 */
const cell = ({ name, packages, args, script, files = {}, copy, ...facts }) => ({
  name: `${name}, wasm as a file`,
  versions: packages.map((text) => text.replace(/(.)@/, '$1 ')).join(', '),
  async run(project) {
    await project.install(packages);
    project.bring();
    project.write('main.js', pageScript);
    for (const [path, text] of Object.entries(files)) project.write(path, text);
    const build = warningIn(await project.run(...args));
    if (script) project.write('dist/index.html', html(script));
    project.bring('dist');
    if (copy) {
      const file = 'maskflow-recurrent-relaxed.wasm';
      copyFileSync(project.at('node_modules/maskflow/dist', file), project.at('dist', file));
    }
    const result = await visitFolder(project.at('dist'), { judgeFiles });
    return { ...result, answers: { ...result.answers, build } };
  },
  recipes: [recipe],
  ...facts,
});

const large = same(
  ['build'],
  'asset size limit: The following asset(s) exceed the recommended size limit (…)',
  [
    'webpack and Rspack advise against files above 244 and 300 KiB, and the wasm is larger.',
    '`performance: { hints: false }` silences the warning.',
  ].join(' '),
);

export const how = [
  'Each cell is the script of "Fewer bytes" in docs/recipes.md. The part `wasm` checks that',
  'the page fetches one wasm file, and no script that contains wasm. With Vite, the page',
  'contains the line of the recipe that preloads the file. In "copied", the file is copied',
  'from the package to a place beside the bundle.',
].join(' ');
export const cells = [
  cell({
    name: 'Vite 8',
    packages: ['vite@8.3.8'],
    args: ['vite', ['build']],
    files: { 'index.html': html('/main.js', recipes[recipe]['head.html']) },
  }),
  cell({
    name: 'Vite 7',
    packages: ['vite@7.3.8'],
    args: ['vite', ['build']],
    files: { 'index.html': html('/main.js', recipes[recipe]['head.html']) },
  }),
  cell({
    name: 'webpack',
    packages: ['webpack@5.112.2', 'webpack-cli@7.3.1'],
    args: ['webpack', ['./main.js', '--mode', 'production']],
    script: '/main.js',
    known: large,
  }),
  cell({
    name: 'Rspack',
    packages: ['@rspack/core@2.3.2', '@rspack/cli@2.2.8'],
    args: ['rspack', ['build', '--entry', './main.js', '--mode', 'production']],
    script: '/main.js',
    known: large,
  }),
  cell({
    name: 'Parcel',
    packages: ['parcel@2.16.4'],
    args: ['parcel', ['build', 'index.html']],
    files: { 'index.html': html('main.js') },
  }),
  cell({
    name: 'Rollup, copied',
    packages: ['rollup@4.68.7', '@rollup/plugin-node-resolve@16.0.3'],
    args: ['rollup', ['main.js', '--dir', 'dist', '-p', 'node-resolve']],
    script: '/main.js',
    copy: true,
  }),
  cell({
    name: 'Rolldown, copied',
    packages: ['rolldown@1.3.2'],
    args: ['rolldown', ['main.js', '--dir', 'dist', '--platform', 'browser']],
    script: '/main.js',
    copy: true,
  }),
  cell({
    name: 'esbuild, splitting, copied',
    packages: ['esbuild@0.28.2'],
    args: ['esbuild', ['main.js', '--bundle', '--splitting', '--format=esm', '--outdir=dist']],
    script: '/main.js',
    copy: true,
  }),
];

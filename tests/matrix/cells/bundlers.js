// SPDX-License-Identifier: MIT
// Bundlers by their command: an entry, an output folder and what a bundle for a page must say (its
// format), nothing else.
import { html, pageScript } from '../lib/entries.js';
import { same } from '../lib/judge.js';
import { visitThrice } from '../lib/pages.js';
import { warningIn } from '../lib/warnings.js';

/**
 * Defines the cell of a bundler. `args` is its command, `script` the name of the entry in `folder`,
 * `before` further files (text by path).
 */
const cell = ({
  name,
  packages,
  args,
  folder = 'dist',
  script,
  files = {},
  manifest,
  copy,
  ...facts
}) => ({
  name,
  versions: packages.map((text) => text.replace(/(.)@/, '$1 ')).join(', '),
  async run(project) {
    await project.install(packages, { manifest });
    project.bring();
    project.write('main.js', pageScript);
    for (const [path, text] of Object.entries(files)) project.write(path, text);
    const before = project.read('package.json');
    const said = await project.run(...args);
    const added = Object.keys(JSON.parse(project.read('package.json')).devDependencies ?? {});
    const changed = project.read('package.json') !== before;
    const build = changed ? `adds to package.json: ${added}` : warningIn(said);
    if (script) project.write(`${folder}/index.html`, html(script));
    project.bring(folder);
    if (copy)
      project.write(
        `${folder}/worker_main.js`,
        project.read('node_modules/maskflow/dist/worker_main.js'),
      );
    const result = await visitThrice(project.at(folder));
    return { ...result, answers: { ...result.answers, build } };
  },
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
const marked = same(
  ['build'],
  'dist/main.js …mb ⚠️',
  'esbuild marks files above 1 MB. With `--splitting --format=esm` the wasm is a separate file.',
);
const notCopied = same(
  ['page'],
  '404 /worker_main.js',
  [
    "The bundler leaves the workers' file behind. The package looks for it once, then runs the",
    'script that it contains. To avoid the failed request, copy',
    'node_modules/maskflow/dist/worker_main.js beside the bundle.',
  ].join(' '),
);

export const how = [
  'Each cell is a command line with the entry and the output folder, in production mode if',
  'the tool has one.',
].join(' ');
export const cells = [
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
    name: 'Rollup',
    packages: ['rollup@4.68.7', '@rollup/plugin-node-resolve@16.0.3'],
    args: ['rollup', ['main.js', '--dir', 'dist', '-p', 'node-resolve']],
    script: '/main.js',
    known: notCopied,
  }),
  cell({
    name: 'Rollup, worker_main.js copied',
    packages: ['rollup@4.68.7', '@rollup/plugin-node-resolve@16.0.3'],
    args: ['rollup', ['main.js', '--dir', 'dist', '-p', 'node-resolve']],
    script: '/main.js',
    copy: true,
  }),
  cell({
    name: 'Rolldown',
    packages: ['rolldown@1.3.2'],
    args: ['rolldown', ['main.js', '--dir', 'dist', '--platform', 'browser']],
    script: '/main.js',
    known: notCopied,
  }),
  cell({
    name: 'esbuild, splitting',
    packages: ['esbuild@0.28.2'],
    args: ['esbuild', ['main.js', '--bundle', '--splitting', '--format=esm', '--outdir=dist']],
    script: '/main.js',
    known: notCopied,
  }),
  cell({
    name: 'esbuild, one file',
    packages: ['esbuild@0.28.2'],
    args: ['esbuild', ['main.js', '--bundle', '--outdir=dist']],
    script: '/main.js',
    known: marked,
  }),
  cell({
    name: 'Parcel',
    packages: ['parcel@2.16.4'],
    args: ['parcel', ['build', 'index.html']],
    files: { 'index.html': html('main.js') },
  }),
  cell({
    name: 'Parcel, packageExports',
    packages: ['parcel@2.16.4'],
    args: ['parcel', ['build', 'index.html']],
    files: { 'index.html': html('main.js') },
    manifest: { '@parcel/resolver-default': { packageExports: true } },
  }),
  cell({
    name: 'Bun, build',
    packages: ['bun@1.4.5'],
    args: ['bun', ['build', './index.html', '--outdir', 'dist']],
    files: { 'index.html': html('./main.js') },
    known: notCopied,
  }),
];

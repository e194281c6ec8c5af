// SPDX-License-Identifier: MIT
// Vite without a configuration: what it builds, and its development server; with workers whose
// script is the project's own, too.
import { html, ownWorker, pageScript, pageScriptOwn } from '../lib/entries.js';
import { same } from '../lib/judge.js';
import { visit, visitThrice } from '../lib/pages.js';
import { warningIn } from '../lib/warnings.js';

/** Creates a project; `files` are texts by path. */
async function make(project, version, files) {
  await project.install([`vite@${version}`]);
  project.bring('public', '.');
  project.write('index.html', html());
  for (const [path, text] of Object.entries({ 'main.js': pageScript, ...files })) {
    project.write(path, text);
  }
}

const called = (version, how, name) => ({
  name: `Vite ${version.split('.')[0]}, ${how}${name}`,
  versions: `vite ${version}`,
});

const built = (version, { name = '', files, ...facts } = {}) => ({
  ...called(version, 'build', name),
  async run(project) {
    await make(project, version, files);
    const build = warningIn(await project.run('vite', ['build']));
    const result = await visitThrice(project.at('dist'));
    return { ...result, answers: { ...result.answers, build } };
  },
  ...facts,
});

const served = (version, { name = '', files, ...facts } = {}) => ({
  ...called(version, 'dev', name),
  async run(project) {
    await make(project, version, files);
    return visit(await project.listen('vite', ['--port', '0', '--clearScreen', 'false']));
  },
  ...facts,
});

const notServed = same(
  ['page'],
  '404 /node_modules/.vite/deps/worker_main.js',
  [
    'Before version 8, Vite moves packages into .vite/deps and leaves worker_main.js behind.',
    'The package looks for it once, then runs the script that it contains. `optimizeDeps: {',
    "exclude: ['maskflow'] }` keeps the file.",
  ].join(' '),
);
const versions = ['6.4.6', '7.3.8', '8.3.8'];

export const how = [
  'Each cell is an index.html with one script. There is no configuration, except in "package',
  'excluded": it tells the server not to optimize the package (`optimizeDeps`). In "own',
  'worker", the script of the workers is a file of the project and imports `maskflow/single`.',
].join(' ');
const excluded = {
  name: ', package excluded',
  files: { 'vite.config.js': `export default { optimizeDeps: { exclude: ['maskflow'] } };` },
};
const own = {
  name: ', own worker',
  files: { 'main.js': pageScriptOwn, ...ownWorker },
};

export const cells = versions.flatMap((version) => [
  built(version),
  built(version, own),
  served(version, version < '8' ? { known: notServed } : {}),
  ...(version < '8' ? [served(version, excluded)] : []),
  served(version, own),
]);

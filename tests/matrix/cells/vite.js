// SPDX-License-Identifier: MIT
// Vite without a configuration: what it builds, and its development server.
import { html, pageScript } from '../lib/entries.js';
import { same } from '../lib/judge.js';
import { visit, visitFolder } from '../lib/pages.js';
import { warningIn } from '../lib/warnings.js';

async function make(project, version) {
  await project.install([`vite@${version}`]);
  project.bring('public', '.');
  project.write('index.html', html());
  project.write('main.js', pageScript);
}

const built = (version, facts = {}) => ({
  name: `Vite ${version.split('.')[0]}, build`,
  versions: `vite ${version}`,
  async run(project) {
    await make(project, version);
    const build = warningIn(await project.run('vite', ['build']));
    const result = await visitFolder(project.at('dist'));
    return { ...result, answers: { ...result.answers, build } };
  },
  ...facts,
});

const served = (version, { name = '', config, ...facts } = {}) => ({
  name: `Vite ${version.split('.')[0]}, dev${name}`,
  versions: `vite ${version}`,
  async run(project) {
    await make(project, version);
    if (config) project.write('vite.config.js', config);
    return visit(await project.listen('vite', ['--port', '0', '--clearScreen', 'false']));
  },
  ...facts,
});

const notServed = same(
  ['page'],
  '404 /node_modules/.vite/deps/worker_main.js',
  "Vite before 8 moves packages into .vite/deps and leaves worker_main.js behind. It is looked for once; then the script inside the package runs. `optimizeDeps: { exclude: ['maskflow'] }` keeps the file.",
);
const versions = ['6.4.6', '7.3.8', '8.3.8'];

export const how = 'index.html with one script, no configuration';
const exclude = `export default { optimizeDeps: { exclude: ['maskflow'] } };`;

export const cells = versions.flatMap((version) => [
  built(version),
  served(version, version < '8' ? { known: notServed } : {}),
  ...(version < '8' ? [served(version, { name: ', package excluded', config: exclude })] : []),
]);

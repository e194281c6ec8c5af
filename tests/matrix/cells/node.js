// SPDX-License-Identifier: MIT
// Node: each version as ES module, as CommonJS and in a worker thread.
import { cjs, esm } from '../lib/entries.js';
import { runThrice } from '../lib/script_cell.js';

const thread = `import { Worker } from 'node:worker_threads';
const argv = process.argv.slice(2);
new Worker(new URL('./main.mjs', import.meta.url), { argv }).on('error', (error) => { throw error; });`;

const ways = {
  ESM: { 'main.mjs': esm() },
  CommonJS: { 'main.cjs': cjs() },
  worker_threads: { 'thread.mjs': thread, 'main.mjs': esm() },
};

const cell = (node, label, way) => ({
  name: `${label}, ${way}`,
  versions: node === 'own' ? '' : `node ${node}`,
  async run(project) {
    await project.install([], { node });
    project.bring();
    for (const [path, text] of Object.entries(ways[way])) project.write(path, text);
    return runThrice(project, 'node', [Object.keys(ways[way])[0]]);
  },
});

export const nodeVersions = ['20.19.6', '22.23.3', '24.21.0', '26.10.0'];

export const how = [
  'Each cell runs a script three times. The first run imports `maskflow`, `maskflow/text` and',
  '`maskflow/worker`, the second run `maskflow/train`; the third run computes in two threads. The',
  'process must end by itself.',
].join(' ');
export const cells = nodeVersions.flatMap((version) =>
  Object.keys(ways).map((way) => cell(version, `Node ${version.split('.')[0]}`, way)),
);

/**
 * The Node that runs these tests. It needs no network, so the package's own tests run this cell,
 * and the table omits it.
 */
export const ownNode = cell('own', 'this Node', 'ESM');

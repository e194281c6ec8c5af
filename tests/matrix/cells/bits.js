// SPDX-License-Identifier: MIT
// Training results in the same weights in every engine, to the bit.
import { cpSync } from 'node:fs';
import { page } from '../lib/page_files.js';
import { chromium, firefox, visitFolder, webkit } from '../lib/pages.js';
import { nodeVersions } from './node.js';

const asked = "check({ train }, { only: ['bits'], ready: { variant: 'simd' } })";
const script = `import { writeFileSync } from 'node:fs';
import * as train from 'maskflow/train';
import { check } from './check.mjs';
writeFileSync('result.json', JSON.stringify(await ${asked}));`;
const html = page(`import * as train from './maskflow/dist/train.js';
import { check } from './check.mjs';
${asked}.then((data) => { window.result = data; });`);

const inNode = (version) => ({
  name: `Node ${version.split('.')[0]}, trained bits`,
  versions: `node ${version}`,
  async run(project) {
    await project.install([], { node: version });
    project.bring();
    project.write('main.mjs', script);
    await project.run('node', ['main.mjs']);
    return project.result();
  },
});

const inRuntime = (runtime, version, args) => ({
  name: `${runtime}, trained bits`,
  versions: `${runtime} ${version}`,
  async run(project) {
    await project.install([`${runtime}@${version}`]);
    project.bring();
    project.write('main.mjs', script);
    await project.run(runtime, [...args, 'main.mjs']);
    return project.result();
  },
});

const onPage = (versions, browser) => ({
  name: `${versions}, trained bits`,
  versions,
  async run(project) {
    const running = await browser();
    await project.install();
    cpSync(project.at('node_modules', 'maskflow'), project.at('maskflow'), { recursive: true });
    project.bring();
    project.write('index.html', html);
    return visitFolder(project.folder, { browser: running });
  },
});

export const how = [
  'Each cell runs the same seeded training with dropout, masks and a schedule on the variant',
  '`simd`. The hash of the weights must be the same everywhere.',
].join(' ');
export const cells = [
  ...nodeVersions.map(inNode),
  inRuntime('bun', '1.4.5', ['run']),
  inRuntime('deno', '2.9.6', ['run', '-A']),
  onPage('Chromium', chromium),
  onPage('Firefox', firefox),
  onPage('WebKitGTK', webkit),
];

// SPDX-License-Identifier: MIT
// maskflow/torch reads a file in every engine, and shares its layers with maskflow.
import { cpSync } from 'node:fs';
import { page } from '../lib/page_files.js';
import { chromium, firefox, visitFolder, webkit } from '../lib/pages.js';
import { nodeVersions } from './node.js';

const asked = "check({ mf, torch }, { only: ['torch'] })";
const script = `import { writeFileSync } from 'node:fs';
import * as mf from 'maskflow';
import * as torch from 'maskflow/torch';
import { check } from './check.mjs';
writeFileSync('result.json', JSON.stringify(await ${asked}));`;
const html = page(`import * as mf from './maskflow/dist/index.js';
import * as torch from './maskflow/dist/torch.js';
import { check } from './check.mjs';
${asked}.then((data) => { window.result = data; });`);

const inNode = (version) => ({
  name: `Node ${version.split('.')[0]}, maskflow/torch`,
  versions: `node ${version}`,
  async run(project) {
    await project.install([], { node: version });
    project.bring();
    project.write('main.mjs', script);
    await project.run('node', ['main.mjs']);
    return project.result();
  },
});

const onPage = (versions, browser) => ({
  name: `${versions}, maskflow/torch`,
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

export const how = 'Each cell reads a `.safetensors` file and predicts with its layer.';
export const cells = [
  ...nodeVersions.map(inNode),
  onPage('Chromium', chromium),
  onPage('Firefox', firefox),
  onPage('WebKitGTK', webkit),
];

// SPDX-License-Identifier: MIT
// maskflow/draw draws models of the main entry in every engine.
import { cpSync } from 'node:fs';
import { page } from '../lib/page_files.js';
import { chromium, firefox, visitFolder, webkit } from '../lib/pages.js';
import { nodeVersions } from './node.js';

const asked = "check({ mf, draw }, { only: ['draw'] })";
const script = `import { writeFileSync } from 'node:fs';
import * as mf from 'maskflow';
import * as draw from 'maskflow/draw';
import { check } from './check.mjs';
writeFileSync('result.json', JSON.stringify(await ${asked}));`;
const html = page(`import * as mf from './maskflow/dist/index.js';
import * as draw from './maskflow/dist/draw.js';
import { check } from './check.mjs';
${asked}.then((data) => { window.result = data; });`);

const inNode = (version) => ({
  name: `Node ${version.split('.')[0]}, maskflow/draw`,
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
  name: `${versions}, maskflow/draw`,
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

export const how = 'Each cell draws a model and a mask.';
export const cells = [
  ...nodeVersions.map(inNode),
  onPage('Chromium', chromium),
  onPage('Firefox', firefox),
  onPage('WebKitGTK', webkit),
];

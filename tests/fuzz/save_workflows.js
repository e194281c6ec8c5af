// SPDX-License-Identifier: MIT
// save_workflows.js FOLDER: replays the recordings of keras_workflows.py in a folder, and saves
// there what the programs save, for open_workflows.py.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as mf from '../../dist/train.js';
import { saveWorkflows } from './replay_workflows.js';

const [folder] = process.argv.slice(2);
await mf.ready({ maskPropagation: 'keras-3.15', onMaskDropped: 'silent' });
console.warn = () => {};
const recordings = readdirSync(folder).filter((name) => name.endsWith('.json'));
const programs = recordings.flatMap(
  (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).cases,
);
writeFileSync(join(folder, 'index.json'), JSON.stringify(await saveWorkflows(folder, programs)));

// SPDX-License-Identifier: MIT
// The pages that bench:visit measures: one program for each way to run an LSTM that TensorFlow.js
// saved, built by esbuild or by Vite as an app would be.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import { at } from '../../scripts/lib/files.mjs';

const folder = at('build', 'visit');
const model = at('tests', 'fixtures', 'tfjs', 'sequential_lstm');
const row = '[[3, 5, 1, 0, 0]]';
const done = (values) => `globalThis.visit = { values: ${values}, time: performance.now() };\n`;

const ours = (entry, address) => `import { loadModel } from '${entry}';
const model = await loadModel('./${address}');
${done(`Array.from(model.predict(${row}).data())`)}`;

const tfjsModel = `const model = await tf.loadLayersModel('./model.json');
${done(`Array.from(model.predict(tf.tensor2d(${row})).dataSync())`)}`;

/** Programs by title. All predict the first row of the model's fixture. */
export const programs = {
  'tfjs-core, tfjs-layers, tfjs-backend-cpu': `import * as core from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';
import { loadLayersModel } from '@tensorflow/tfjs-layers';
const tf = { ...core, loadLayersModel };
${tfjsModel}`,
  '@tensorflow/tfjs': `import * as tf from '@tensorflow/tfjs';
await tf.setBackend('cpu');
${tfjsModel}`,
  'maskflow/recurrent': ours('maskflow/recurrent', 'model.json'),
  maskflow: ours('maskflow', 'model.json'),
  'maskflow/recurrent, a .keras file': ours('maskflow/recurrent', 'model.keras'),
  'maskflow, only padSequences': `import { padSequences, ready } from 'maskflow';
await ready();
${done('Array.from(padSequences([[1], [2, 3]]).data())')}`,
};

/** Pages of maskflow, whose requests and bytes are those of the package. */
export const isOurs = (title) => title.startsWith('maskflow');

const html = `<!doctype html><meta charset="utf-8"><title>visit</title>
<link rel="icon" href="data:,"><script type="module" src="./main.js"></script>\n`;

const builders = {
  async esbuild(project, out) {
    await esbuild({
      entryPoints: [join(project, 'main.js')],
      outdir: out,
      bundle: true,
      splitting: true,
      format: 'esm',
      minify: true,
      target: 'es2022',
      logLevel: 'error',
    });
    copyFileSync(join(project, 'index.html'), join(out, 'index.html'));
  },
  async vite(project, out) {
    const build = { outDir: out, target: 'es2022' };
    await vite({ root: project, base: './', configFile: false, logLevel: 'error', build });
  },
};

export const bundlers = Object.keys(builders);

function writeProject(project, program) {
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  const peers = at('bench', 'peers', 'node_modules');
  const names = existsSync(peers) ? readdirSync(peers) : [];
  for (const name of names.filter((each) => !each.startsWith('.')))
    symlinkSync(join(peers, name), join(project, 'node_modules', name), 'dir');
  symlinkSync(at(), join(project, 'node_modules', 'maskflow'), 'dir');
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(project, 'main.js'), program);
  writeFileSync(join(project, 'index.html'), html);
}

/** Returns a .keras file of the model that TensorFlow.js saved. */
async function savedAsKeras() {
  const { loadModel } = await import(at('dist', 'index.js'));
  return (await loadModel(join(model, 'model.json'))).save();
}

const bytesIn = (out) => {
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  return {
    files: files.length,
    bytes: files.reduce(
      (sum, each) => sum + statSync(join(each.parentPath ?? each.path, each.name)).size,
      0,
    ),
  };
};

/** Builds a page; returns its folder, and the files and bytes of the app without the model. */
export async function makePage(title, bundler) {
  const index = Object.keys(programs).indexOf(title);
  const project = join(folder, `${bundler}-${index}`);
  rmSync(project, { recursive: true, force: true });
  writeProject(project, programs[title]);
  const out = join(project, 'out');
  await builders[bundler](project, out);
  const output = bytesIn(out);
  for (const name of ['model.json', 'weights.bin'])
    copyFileSync(join(model, name), join(out, name));
  writeFileSync(join(out, 'model.keras'), await savedAsKeras());
  return { title, bundler, folder: out, output };
}

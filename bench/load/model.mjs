// SPDX-License-Identifier: MIT
// The model of 100 MB that `npm run bench:load` opens, in each format.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Input, layers, ready, Sequential, serializeLayer } from '../../dist/index.js';
import { at } from '../../scripts/lib/files.mjs';
import { steps, words } from './rows.mjs';

const makeModel = () =>
  new Sequential([
    Input({ shape: [steps], dtype: 'int32' }),
    layers.embedding({ inputDim: words, outputDim: 128, maskZero: true }),
    layers.lstm({ units: 768, returnSequences: true }),
    layers.lstm({ units: 768 }),
    layers.dense({ units: 2048, activation: 'relu' }),
    layers.dense({ units: 2048, activation: 'relu' }),
    layers.dense({ units: 2048, activation: 'relu' }),
    layers.dense({ units: 16 }),
  ]);

/** The measured formats, each with the file that is opened. */
export const formats = [
  { title: '.keras', path: 'model.keras', parts: () => ['model.keras'] },
  {
    title: '.weights.h5',
    path: 'model.weights.h5',
    architecture: 'architecture.json',
    parts: () => ['model.weights.h5'],
  },
  {
    title: 'TF.js, shards of 4 MB',
    path: 'tfjs/model.json',
    parts: () => readdirSync(at('build', 'load', 'tfjs')).map((name) => `tfjs/${name}`),
  },
];

/** Writes the files to build/load. @returns the number of bytes of the weights */
export async function makeFiles() {
  const folder = at('build', 'load');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(at('build', 'load', 'tfjs'), { recursive: true });
  await ready({ seed: 1 });
  const model = makeModel();
  await model.save(at('build', 'load', 'model.keras'), { includeOptimizer: false });
  await model.saveWeights(at('build', 'load', 'model.weights.h5'));
  writeFileSync(at('build', 'load', 'architecture.json'), JSON.stringify(serializeLayer(model)));
  await model.saveTfjs(at('build', 'load', 'tfjs', 'model.json'));
  const bytes = model.weights.reduce(
    (sum, { shape }) => sum + 4 * shape.reduce((product, dim) => product * dim, 1),
    0,
  );
  model.dispose();
  return bytes;
}

// SPDX-License-Identifier: MIT
// The model of 100 MB that `npm run bench:load` opens, in each format.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Input, layers, ready, Sequential, serializeLayer } from '../../dist/index.js';
import { at } from '../../scripts/lib/files.mjs';
import { steps, words } from './loads.mjs';

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

export const placeOf = (file) => at('build', 'load', file);

/** Writes the files to build/load. @returns the formats, and the number of bytes of the weights */
export async function makeFiles() {
  rmSync(placeOf(''), { recursive: true, force: true });
  mkdirSync(placeOf('tfjs'), { recursive: true });
  await ready({ seed: 1 });
  const model = makeModel();
  await model.save(placeOf('model.keras'), { includeOptimizer: false });
  await model.saveWeights(placeOf('model.weights.h5'));
  writeFileSync(placeOf('architecture.json'), JSON.stringify(serializeLayer(model)));
  await model.saveTfjs(placeOf('tfjs/model.json'));
  const sizes = model.weights.map(
    ({ shape }) => 4 * shape.reduce((product, dim) => product * dim, 1),
  );
  model.dispose();
  const h5 = { path: 'model.weights.h5', architecture: 'architecture.json' };
  const shards = readdirSync(placeOf('tfjs')).map((name) => `tfjs/${name}`);
  const formats = [
    { title: '.keras', path: 'model.keras', parts: ['model.keras'] },
    { title: '.weights.h5', ...h5, parts: ['model.weights.h5'] },
    { title: 'TF.js, shards of 4 MB', path: 'tfjs/model.json', parts: shards },
  ];
  return { formats, bytes: sizes.reduce((a, b) => a + b, 0) };
}

// SPDX-License-Identifier: MIT
// Containers of models and weights: .keras, HDF5 of both kinds, TensorFlow.js, recordings.
import { zipSync } from 'fflate';
import * as mf from '../../../dist/train.js';
import { array, legacyH5, treeH5 } from '../../support/legacy_files.js';
import { pick } from '../../support/random.js';
import { layer, names, sequential } from './graphs.js';

const range = (size, make) => Array.from({ length: size }, (_, i) => make(i));
const bytesOf = (text) => new TextEncoder().encode(text);
const denses = (size, name) =>
  sequential([
    layer('InputLayer', 'in', { batch_shape: [null, 1], dtype: 'float32' }),
    ...range(size, (i) => layer('Dense', name(i), { units: 1 })),
  ]);

/** Names without slashes, which HDF5 would read as paths. */
const plainNames = (random) => {
  const name = names(random);
  return (i) => name(i).replaceAll('/', '|').replaceAll('.', '_');
};

function kerasFile(size, name, groupOf) {
  const arrays = {};
  for (let i = 0; i < size; i++) {
    arrays[`${groupOf(i)}/vars/0`] = { shape: [1, 1], data: Float32Array.of(i) };
    arrays[`${groupOf(i)}/vars/1`] = { shape: [1], data: Float32Array.of(i) };
  }
  const files = {
    'metadata.json': bytesOf('{"keras_version":"3.15.1","date_saved":"2026-01-01@00:00:00"}'),
    'config.json': bytesOf(JSON.stringify(denses(size, name))),
    'model.weights.h5': treeH5(arrays),
  };
  return zipSync(files, { level: 0 });
}

const small = () => new mf.Sequential([mf.Input({ shape: [1] }), mf.layers.dense({ units: 1 })]);

async function loadWeights(bytes) {
  const model = small();
  try {
    await model.loadWeights(bytes);
  } finally {
    model.dispose();
  }
}

const dtypes = ['float32', 'int32', 'uint8'];
const widths = { float32: 4, int32: 4, uint8: 1 };

function tfjsFiles(size, random, name) {
  const perShard = pick(random, [1, 16, size]);
  const weights = range(size, (i) => [
    { name: `${name(i)}/kernel`, shape: [1, 1], dtype: 'float32' },
    { name: `${name(i)}/bias`, shape: [1], dtype: 'float32' },
  ]).flat();
  const groups = range(Math.ceil(weights.length / (2 * perShard)), (i) => ({
    paths: [`shard${i}.bin`],
    weights: weights.slice(2 * perShard * i, 2 * perShard * (i + 1)),
  }));
  const layers = range(size, (i) => ({
    class_name: 'Dense',
    config: { name: name(i), units: 1, ...(i === 0 ? { batch_input_shape: [null, 1] } : {}) },
  }));
  const modelTopology = {
    keras_version: 'tfjs-layers 4.22.0',
    model_config: { class_name: 'Sequential', config: { name: 's', layers } },
  };
  const json = JSON.stringify({ format: 'layers-model', modelTopology, weightsManifest: groups });
  return {
    files: [
      { name: 'model.json', data: bytesOf(json) },
      ...groups.map(({ paths, weights: of }) => ({
        name: paths[0],
        data: new Uint8Array(4 * of.length),
      })),
    ],
  };
}

export const fileStructures = {
  'loadModel: a .keras file of many layers': {
    make: (size, random) => {
      const name = plainNames(random);
      return kerasFile(size, name, (i) => `layers/dense${i > 0 ? `_${i}` : ''}`);
    },
    run: (bytes) => mf.loadModel(bytes),
    max: 2 ** 15,
  },
  'loadModel: weights of other layers': {
    make: (size, random) =>
      kerasFile(size, plainNames(random), (i) => `layers/${pick(random, ['a', 'b'])}${i}`),
    run: (bytes) => mf.loadModel(bytes),
    max: 2 ** 15,
  },
  'loadModel: an archive of many files': {
    make: (size, random) => {
      const name = names(random);
      const files = Object.fromEntries(
        range(size, (i) => [`assets/${name(i)}`, new Uint8Array(3)]),
      );
      return zipSync(
        { ...files, 'config.json': bytesOf(JSON.stringify(denses(1, name))) },
        { level: 0 },
      );
    },
    run: (bytes) => mf.loadModel(bytes, { weights: null }),
    max: 2 ** 15,
  },
  'loadWeights: groups in one group': {
    make: (size, random) => {
      const name = plainNames(random);
      return treeH5(
        Object.fromEntries(
          range(size, (i) => [
            `layers/${name(i)}/vars/0`,
            { shape: [1], data: Float32Array.of(1) },
          ]),
        ),
      );
    },
    run: loadWeights,
  },
  'loadWeights: arrays in one group': {
    make: (size) =>
      treeH5(
        Object.fromEntries(
          range(size, (i) => [`layers/dense/vars/${i}`, { shape: [1], data: Float32Array.of(1) }]),
        ),
      ),
    run: loadWeights,
  },
  'loadWeights: a .h5 file of many layers': {
    make: (size, random) => {
      const name = plainNames(random);
      const layers = range(size, (i) => ({
        name: name(i),
        weights: [array(`${name(i)}/kernel:0`, [1, 1], [1]), array(`${name(i)}/bias:0`, [1], [1])],
      }));
      return legacyH5({ layers });
    },
    run: loadWeights,
    // Longer lists of names need several attributes.
    max: 512,
  },
  'loadModel: a .h5 file of many layers': {
    make: (size, random) => {
      const name = plainNames(random);
      const layers = range(size, (i) => ({
        name: name(i),
        weights: [array(`${name(i)}/kernel:0`, [1, 1], [1]), array(`${name(i)}/bias:0`, [1], [1])],
      }));
      const config = {
        class_name: 'Sequential',
        config: {
          name: 's',
          layers: range(size, (i) => ({
            class_name: 'Dense',
            config: {
              name: name(i),
              units: 1,
              ...(i === 0 ? { batch_input_shape: [null, 1] } : {}),
            },
          })),
        },
      };
      return legacyH5({ config, version: '2.15.0', layers, parts: Math.ceil(size / 64) });
    },
    run: (bytes) => mf.loadModel(bytes),
    max: 512,
  },
  'loadModel: TensorFlow.js': {
    make: (size, random) => tfjsFiles(size, random, names(random)),
    run: (files) => mf.loadModel(files),
    max: 2 ** 15,
  },
  'verify: a recording of many arrays': {
    make: (size, random) => {
      const name = names(random);
      const dtype = pick(random, dtypes);
      const data = Buffer.from(new Uint8Array(widths[dtype])).toString('base64');
      const outputs = Object.fromEntries(
        range(size, (i) => [name(i), { shape: [1], dtype, data }]),
      );
      return JSON.stringify({ inputs: [[[1]]], outputs });
    },
    async run(text) {
      const model = small();
      try {
        await mf.verify(model, text);
      } finally {
        model.dispose();
      }
    },
  },
  'verify: nested arrays': {
    make: (size) =>
      JSON.stringify({ inputs: [range(size, () => [1])], outputs: [range(size, () => [1])] }),
    async run(text) {
      const model = small();
      try {
        await mf.verify(model, text);
      } finally {
        model.dispose();
      }
    },
    max: 2 ** 20,
  },
};

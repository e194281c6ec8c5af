// SPDX-License-Identifier: MIT
// Files for the fuzzer to damage: one of each format and of each compression.
import { readFileSync } from 'node:fs';
import { unzipSync, zipSync } from 'fflate';
import { writeWithLibhdf5 } from '../support/hdf5.js';
import { dataSeeds } from './data_seeds.js';
import { legacySeeds } from './legacy_seeds.js';
import { textSeeds } from './text_seeds.js';

const models = new URL('../fixtures/models/', import.meta.url);
const bytesOf = (name) => new Uint8Array(readFileSync(new URL(name, models)));
const inputsOf = (name) =>
  JSON.parse(readFileSync(new URL(`${name}.io.json`, models), 'utf8')).inputs;

const text = (value) => new TextEncoder().encode(JSON.stringify(value));

/** Returns a `.keras` file whose members are damaged one by one and packed again. */
function keras(name, level) {
  const files = unzipSync(bytesOf(`${name}.keras`));
  return {
    kind: 'keras',
    name: `${name}.keras, level ${level}`,
    files,
    level,
    inputs: inputsOf(name),
  };
}

/** Returns a file that Keras saved during training, with compile config and optimizer variables. */
function trained(name) {
  const folder = new URL('../fixtures/training/fit/', import.meta.url);
  const bytes = new Uint8Array(readFileSync(new URL(`${name}.keras`, folder)));
  const { x, y } = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
  const files = unzipSync(bytes);
  return { kind: 'trained', name: `${name}.keras`, files, level: 0, inputs: [x], x, y };
}

const hdf5 = (name, kind) => ({
  kind,
  name,
  files: { [name]: bytesOf(name) },
  inputs: inputsOf(name.split('.')[0]),
  config: `${name.split('.')[0]}.keras`,
});

/**
 * Returns weights compressed with gzip: in chunks, as h5py writes them by default, and in one chunk
 * each, as HDF5 1.10 does.
 */
function compressedWeights() {
  const shapes = [[12, 4], [4, 20], [5, 20], [20], [5, 2], [2]];
  const paths = ['embedding', 'lstm/cell', 'lstm/cell', 'lstm/cell', 'dense', 'dense'];
  const bytes = (libver, parts) =>
    writeWithLibhdf5(
      (file) => {
        const root = file.create_group('layers');
        const groups = new Map();
        for (const [i, path] of paths.entries()) {
          const [layer, cell] = path.split('/');
          if (!groups.has(layer)) groups.set(layer, root.create_group(layer));
          const key = `${path}/vars`;
          if (!groups.has(key)) {
            const parent = cell ? groups.get(layer).create_group(cell) : groups.get(layer);
            groups.set(key, parent.create_group('vars'));
          }
          const shape = shapes[i];
          const data = Float32Array.from(
            { length: shape.reduce((a, b) => a * b, 1) },
            (_, k) => k / 100,
          );
          const name = String(i - paths.indexOf(path));
          groups.get(key).create_dataset({
            name,
            data,
            shape,
            chunks: shape.map((dim) => Math.ceil(dim / parts)),
            compression: 'gzip',
          });
        }
      },
      { libver },
    );
  const versions = [
    ['v110', 1],
    [['earliest', 'v110'], 2],
  ];
  return versions.map(([libver, parts]) => ({
    kind: 'weights',
    name: `packed.weights.h5, ${libver}`,
    files: { 'packed.weights.h5': bytes(libver, parts) },
    inputs: inputsOf('seq_embed_lstm'),
    small: true,
  }));
}

const numbers = (shape, seed) =>
  Float32Array.from(
    { length: shape.reduce((a, b) => a * b, 1) },
    (_, i) => Math.sin(i * 7 + seed) / 2,
  );

/** Returns a TF.js model with two groups of weights, the second of which is quantized. */
function tfjs() {
  const layer = (class_name, config) => ({ class_name, config });
  const weights = [
    { name: 'embedding/embeddings', shape: [12, 4], dtype: 'float32' },
    { name: 'lstm/lstm_cell/kernel', shape: [4, 20], dtype: 'float32' },
    { name: 'lstm/lstm_cell/recurrent_kernel', shape: [5, 20], dtype: 'float32' },
    { name: 'lstm/lstm_cell/bias', shape: [20], dtype: 'float32' },
  ];
  const shard = new Uint8Array(
    weights.reduce((sum, { shape }) => sum + 4 * shape.reduce((a, b) => a * b, 1), 0),
  );
  let offset = 0;
  weights.forEach(({ shape }, i) => {
    const part = new Uint8Array(numbers(shape, i).buffer);
    shard.set(part, offset);
    offset += part.length;
  });
  const quantization = { dtype: 'uint8', scale: 0.01, min: -1, original_dtype: 'float32' };
  const quantized = [
    { name: 'dense/kernel', shape: [5, 2], dtype: 'float32', quantization },
    { name: 'dense/bias', shape: [2], dtype: 'float32', quantization },
  ];
  const json = {
    format: 'layers-model',
    generatedBy: 'keras v2.15.0',
    modelTopology: {
      keras_version: '2.15.0',
      backend: 'tensorflow',
      model_config: layer('Sequential', {
        name: 'sequential',
        layers: [
          layer('Embedding', {
            name: 'embedding',
            batch_input_shape: [null, 6],
            input_dim: 12,
            output_dim: 4,
            mask_zero: true,
            dtype: 'float32',
          }),
          layer('LSTM', {
            name: 'lstm',
            units: 5,
            recurrent_activation: 'hard_sigmoid',
            time_major: false,
          }),
          layer('Dense', { name: 'dense', units: 2, activation: 'softmax' }),
        ],
      }),
    },
    weightsManifest: [
      { paths: ['group1-shard1of1.bin'], weights },
      { paths: ['group2-shard1of1.bin'], weights: quantized },
    ],
  };
  return {
    kind: 'files',
    name: 'model.json',
    files: {
      'model.json': text(json),
      'group1-shard1of1.bin': shard,
      'group2-shard1of1.bin': Uint8Array.from({ length: 12 }, (_, i) => i * 20),
    },
    inputs: inputsOf('seq_embed_lstm'),
  };
}

const arrayTypes = { float32: Float32Array, int32: Int32Array };

const inBase64 = ({ shape, dtype, values }) => ({
  shape,
  dtype,
  data: Buffer.from(arrayTypes[dtype].from(values).buffer).toString('base64'),
});

/** Returns a recorded TF.js model with the files of its manifest. */
function recordedTfjs(name) {
  const folder = new URL(`../fixtures/tfjs/${name}/`, import.meta.url);
  const read = (file) => new Uint8Array(readFileSync(new URL(file, folder)));
  const json = read('model.json');
  const { weightsManifest } = JSON.parse(new TextDecoder().decode(json));
  const paths = weightsManifest.flatMap((group) => group.paths);
  return {
    kind: 'files',
    name: `TF.js ${name}`,
    files: { 'model.json': json, ...Object.fromEntries(paths.map((path) => [path, read(path)])) },
    inputs: JSON.parse(new TextDecoder().decode(read('io.json'))).inputs.map(inBase64),
  };
}

/** Returns the config of a recorded model, for `Model.fromConfig`. */
const architecture = (name) => ({
  kind: 'config',
  name: `${name}, config only`,
  files: { 'config.json': unzipSync(bytesOf(`${name}.keras`))['config.json'] },
  inputs: inputsOf(name),
});

/**
 * Returns a file whose groups and attributes are in heaps with indexes, as the newest HDF5 stores
 * them.
 */
function denseWeights() {
  const bytes = writeWithLibhdf5(
    (file) => {
      const vars = (path, shapes) => {
        let group = file;
        for (const part of `layers/${path}/vars`.split('/')) {
          group = group.keys().includes(part) ? group.get(part) : group.create_group(part);
        }
        shapes.forEach((shape, i) => {
          group.create_dataset({ name: String(i), data: numbers(shape, i), shape });
        });
      };
      vars('embedding', [[12, 4]]);
      vars('lstm/cell', [[4, 20], [5, 20], [20]]);
      vars('dense', [[5, 2], [2]]);
      for (let i = 0; i < 12; i++) {
        file.create_attribute(`note ${i}`, `text ${i}`);
        file.create_group(`spare ${i}`);
      }
    },
    { libver: 'latest' },
  );
  return {
    kind: 'weights',
    name: 'dense.weights.h5',
    files: { 'dense.weights.h5': bytes },
    inputs: inputsOf('seq_embed_lstm'),
    small: true,
  };
}

/** Returns a new list of all seeds; their content must not be changed. */
export function seeds() {
  return [
    keras('seq_embed_lstm', 0),
    keras('transformer_encoder_masked', 6),
    keras('seq2seq_bi_state', 0),
    keras('nested_encoder_shared', 9),
    keras('plain_ops_mix', 0),
    keras('reshape_permute_repeat', 0),
    keras('conv1d_causal_dilated', 6),
    trained('emb_lstm_scce_adam'),
    trained('masking_bn_rnn_mse_adamw'),
    trained('residual_mse_cosine'),
    hdf5('func_bilstm_gap.h5', 'model'),
    hdf5('nested_sequential.h5', 'model'),
    hdf5('gqa_encoder.weights.h5', 'weights'),
    hdf5('stacked_cells.weights.h5', 'weights'),
    ...compressedWeights(),
    denseWeights(),
    tfjs(),
    recordedTfjs('functional_nested'),
    recordedTfjs('quantized_uint16'),
    recordedTfjs('quantized_float16'),
    ...legacySeeds(),
    ...textSeeds(),
    architecture('plain_ops_mix'),
    architecture('transformer_decoder_causal'),
    architecture('td_lstm_hierarchical'),
    ...dataSeeds(),
  ];
}

/** Returns the source of a seed for `loadModel` or `loadWeights`. */
export function packed({ kind, files, level, pack }) {
  if (pack) return pack(files);
  if (kind === 'keras' || kind === 'trained') return zipSync(files, { level });
  if (kind === 'files') {
    return { files: Object.entries(files).map(([name, data]) => ({ name, data })) };
  }
  return Object.values(files)[0];
}

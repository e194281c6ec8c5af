// SPDX-License-Identifier: MIT
// One damaged file: what loading it and running it comes to.
import { readFileSync } from 'node:fs';
import * as mf from '../../dist/train.js';
import { toTensor } from '../support/golden.js';
import { generator, whole } from '../support/random.js';
import { readData } from './data_seeds.js';
import { mutateHdf5 } from './hdf5_damage.js';
import { mutateJson } from './json_damage.js';
import { mutateBytes } from './mutate.js';
import { packed, seeds } from './seeds.js';
import { mutateZip } from './zip_damage.js';

const all = seeds();
export const seedNames = all.map(({ name }) => name);

const endsIn = (name, ...endings) => endings.some((ending) => name.endsWith(ending));

/** Damage that knows the format, where there is some. */
function structural(name) {
  if (endsIn(name, '.json')) return mutateJson;
  if (endsIn(name, '.h5')) return mutateHdf5;
  return endsIn(name, '.npz') ? mutateZip : mutateBytes;
}

const isZip = (bytes) => bytes instanceof Uint8Array && bytes[0] === 0x50 && bytes[1] === 0x4b;

/** The damaged source of a case, and whether a checksum guards what was damaged. */
function damaged(seed, random) {
  const archive = packed(seed);
  if (isZip(archive) && random() < 0.3) {
    const guarded = random() < 0.5;
    return { source: (guarded ? mutateBytes : mutateZip)(archive, random), guarded };
  }
  if (seed.kind === 'legacy' && random() < 0.5) {
    return { source: (random() < 0.7 ? mutateHdf5 : mutateBytes)(archive, random), guarded: false };
  }
  const names = Object.keys(seed.files);
  const name = names[whole(random, 0, names.length - 1)];
  const mutate = random() < 0.75 ? structural(name) : mutateBytes;
  const bytes = mutate(seed.files[name], random);
  return { source: packed({ ...seed, files: { ...seed.files, [name]: bytes } }), guarded: false };
}

/** A model to load weights into: of the same file's architecture, or a small one. */
async function receiver(seed) {
  if (!seed.small) {
    return mf.loadModel(
      new Uint8Array(readFileSync(new URL(`../fixtures/models/${seed.config}`, import.meta.url))),
    );
  }
  return mf.Model.fromConfig({
    name: 'small',
    layers: [
      { class_name: 'InputLayer', config: { batch_shape: [null, 6], dtype: 'int32' } },
      { class_name: 'Embedding', config: { input_dim: 12, output_dim: 4, mask_zero: true } },
      { class_name: 'LSTM', config: { units: 5 } },
      { class_name: 'Dense', config: { units: 2 } },
    ],
  });
}

const inputsFor = ({ inputs }, made) => {
  const tensors = (Array.isArray(inputs) ? inputs : Object.values(inputs)).map(toTensor);
  made.push(...tensors);
  return tensors.length === 1 ? tensors[0] : tensors;
};

/** What is read from data stands for a model that says nothing. */
const nothing = { predict: () => [], dispose() {} };

async function loaded(seed, source) {
  if (seed.kind === 'data') {
    readData(source, 'the data');
    return nothing;
  }
  if (seed.kind === 'config') return fromConfig(source);
  if (seed.kind !== 'weights') return mf.loadModel(source);
  const model = await receiver(seed);
  try {
    await model.loadWeights(source);
    return model;
  } catch (error) {
    model.dispose();
    throw error;
  }
}

function fromConfig(bytes) {
  let config;
  try {
    config = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new mf.FormatError('the text is not valid JSON');
  }
  return mf.Model.fromConfig(config);
}

/** A model that was compiled by its file is saved, and trained on. */
async function train(model, { kind, x, y }) {
  if (kind !== 'trained' || !model.compiled) return;
  await model.save();
  const made = [x, y].map(toTensor);
  try {
    await model.trainOnBatch(...made);
  } finally {
    for (const tensor of made) tensor.dispose();
  }
}

function predict(model, seed) {
  if (model === nothing) return [];
  const made = [];
  try {
    const result = model.predict(inputsFor(seed, made));
    const outputs = result instanceof mf.Tensor ? [result] : Object.values(result);
    made.push(...outputs);
    return outputs.map((output) => [...output.data()]);
  } finally {
    for (const tensor of made) tensor.dispose();
  }
}

const expected = new Map();

/** What the undamaged file says; null where its weights are random. */
async function wanted(seed) {
  if (!expected.has(seed.name)) expected.set(seed.name, await said(seed));
  return expected.get(seed.name);
}

async function said(seed) {
  const model = await loaded(seed, packed(seed));
  try {
    const outputs = predict(model, seed);
    return seed.kind === 'config' ? null : outputs;
  } finally {
    model.dispose();
  }
}

// Errors of modules that are bundled apart are of classes of their own.
const kinds = ['shape', 'value', 'config', 'format', 'state', 'unsupported'];
const isTyped = (error) =>
  error instanceof mf.MaskflowError || (error instanceof Error && kinds.includes(error.kind));

const kMostMemory = 500 * 2 ** 20;

/** A file may well ask for an honest model that takes minutes; damage is looked for in smaller ones. */
const kMostRun = 16 * 2 ** 20;

/** Bytes of the results for two rows. */
const resultBytes = (model) =>
  mf.tidy(() =>
    model.outputs.reduce(
      (sum, { shape }) => sum + 8 * shape.reduce((n, dim) => n * (dim ?? 1), 1),
      0,
    ),
  );

/** Bytes that a model takes: its weights, and as much again in the form that products want; and its results. */
const neededBy = (model) =>
  model && model !== nothing ? 8 * model.countParams() + resultBytes(model) : 0;

async function attempt(seed, source) {
  let outcome = 'model';
  let outputs;
  let model;
  let needed = 0;
  try {
    model = await loaded(seed, source);
    needed = neededBy(model);
    outcome = 'model, too large to run here';
    if (needed > kMostRun) return { outcome, needed };
    outcome = 'model, which refuses the input';
    outputs = predict(model, seed);
    outcome = 'model, which cannot be trained';
    await train(model, seed);
    outcome = 'model';
  } catch (error) {
    if (!isTyped(error)) throw error;
    if (!model) outcome = error.name;
  } finally {
    model?.dispose();
  }
  return { outcome, outputs, needed };
}

/**
 * Runs case `number`: { outcome, seed, time, fresh }. `outcome` is the name of a typed error or 'model'. Throws what must not
 * happen: another error, a leak, much memory, or other numbers where a checksum guards the contents or from the next good file.
 * `fresh`: so much memory was taken that the next case should begin with a new instance.
 */
export async function runCase(number) {
  const random = generator(number * 7919 + 1);
  const seed = all[number % all.length];
  const right = await wanted(seed);
  const before = mf.memory();
  const { source, guarded } = damaged(seed, random);
  // Of the processor: other programs may keep it busy meanwhile.
  const start = process.cpuUsage();
  const { outcome, outputs, needed } = await attempt(seed, source);
  const { user, system } = process.cpuUsage(start);
  const time = (user + system) / 1000;
  const after = mf.memory();
  const same = (outputs) => JSON.stringify(outputs) === JSON.stringify(right);
  if (guarded && outputs && right && !same(outputs)) {
    throw new Error('other numbers from an archive whose checksums agree');
  }
  // Fewer where the collector took what an earlier case left.
  if (after.tensors > before.tensors || after.bytes > before.bytes) {
    throw new Error(
      `${after.tensors - before.tensors} tensors left, ${after.bytes - before.bytes} bytes`,
    );
  }
  const grown = after.heapBytes - before.heapBytes;
  if (grown > kMostMemory + needed) {
    throw new Error(`wasm memory grew by ${grown} bytes; the model needs ${needed}`);
  }
  if (number % 8 === 0 && right && !same(await said(seed))) {
    throw new Error('the undamaged file says something else afterwards');
  }
  return { outcome, seed: seed.name, time, fresh: after.heapBytes > kMostMemory / 2 };
}

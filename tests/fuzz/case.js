// SPDX-License-Identifier: MIT
// A case of the fuzzer: loads and runs a damaged file.
import { readFileSync } from 'node:fs';
import * as mf from '../../dist/train.js';
import '../../dist/text.js';
import { toTensor } from '../support/recorded_cases.js';
import { generator, integer } from '../support/random.js';
import { readData } from './data_seeds.js';
import { mutateHdf5 } from './hdf5_damage.js';
import { mutateJson } from './json_damage.js';
import { mutateBytes } from './mutate.js';
import { packed, seeds } from './seeds.js';
import { mutateZip } from './zip_damage.js';

const all = seeds();
export const seedNames = all.map(({ name }) => name);

const endsIn = (name, ...endings) => endings.some((ending) => name.endsWith(ending));

/** Returns a function that damages a file: one for its format, or one for any bytes. */
function mutationFor(name) {
  if (endsIn(name, '.json')) return mutateJson;
  if (endsIn(name, '.h5')) return mutateHdf5;
  return endsIn(name, '.npz') ? mutateZip : mutateBytes;
}

const isZip = (bytes) => bytes instanceof Uint8Array && bytes[0] === 0x50 && bytes[1] === 0x4b;

/** Returns the damaged source of a case, and whether a checksum covers the damage. */
function damage(seed, random) {
  const archive = packed(seed);
  if (isZip(archive) && random() < 0.3) {
    const hasChecksum = random() < 0.5;
    return { source: (hasChecksum ? mutateBytes : mutateZip)(archive, random), hasChecksum };
  }
  if (seed.kind === 'legacy' && random() < 0.5) {
    return {
      source: (random() < 0.7 ? mutateHdf5 : mutateBytes)(archive, random),
      hasChecksum: false,
    };
  }
  const names = Object.keys(seed.files);
  const name = names[integer(random, 0, names.length - 1)];
  const mutate = random() < 0.75 ? mutationFor(name) : mutateBytes;
  const bytes = mutate(seed.files[name], random);
  return {
    source: packed({ ...seed, files: { ...seed.files, [name]: bytes } }),
    hasChecksum: false,
  };
}

/**
 * Creates a model into which a weights file is loaded: of the file's architecture, or a small one.
 */
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

const inputsFor = ({ inputs, texts }, created) => {
  if (texts) return texts;
  const tensors = (Array.isArray(inputs) ? inputs : Object.values(inputs)).map(toTensor);
  created.push(...tensors);
  return tensors.length === 1 ? tensors[0] : tensors;
};

/** Replaces the model if a file contains only data. */
const noModel = { predict: () => [], dispose() {} };

async function load(seed, source) {
  if (seed.kind === 'data') {
    readData(source, 'the data');
    return noModel;
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

/** Saves a model that its file compiled, and trains it further. */
async function train(model, { kind, x, y }) {
  if (kind !== 'trained' || !model.compiled) return;
  await model.save();
  const tensors = [x, y].map(toTensor);
  try {
    await model.trainOnBatch(...tensors);
  } finally {
    for (const tensor of tensors) tensor.dispose();
  }
}

function predict(model, seed) {
  if (model === noModel) return [];
  const tensors = [];
  try {
    const result = model.predict(inputsFor(seed, tensors));
    const outputs = result instanceof mf.Tensor ? [result] : Object.values(result);
    tensors.push(...outputs);
    return outputs.map((output) => [...output.data()]);
  } finally {
    for (const tensor of tensors) tensor.dispose();
  }
}

const expected = new Map();

/** Returns the results of the undamaged file; null if its weights are random. */
async function expectedResults(seed) {
  if (!expected.has(seed.name)) expected.set(seed.name, await resultsOf(seed));
  return expected.get(seed.name);
}

async function resultsOf(seed) {
  const model = await load(seed, packed(seed));
  try {
    const outputs = predict(model, seed);
    return seed.kind === 'config' ? null : outputs;
  } finally {
    model.dispose();
  }
}

// Errors are compared by kind, because modules that are bundled separately have their own error
// classes.
const kinds = ['shape', 'value', 'config', 'format', 'state', 'unsupported'];
const isTyped = (error) =>
  error instanceof mf.MaskflowError || (error instanceof Error && kinds.includes(error.kind));

const kMaxMemory = 500 * 2 ** 20;

/** Memory limit in bytes for running a model; a larger one could take minutes. */
const kMaxRun = 16 * 2 ** 20;

/** Returns the bytes of the results for two rows. */
const resultBytes = (model) =>
  mf.tidy(() =>
    model.outputs.reduce(
      (sum, { shape }) => sum + 8 * shape.reduce((n, dim) => n * (dim ?? 1), 1),
      0,
    ),
  );

/** Returns the bytes that a model needs for its weights, their packed copies, and its results. */
const neededBy = (model) =>
  model && model !== noModel ? 8 * model.countParams() + resultBytes(model) : 0;

async function attempt(seed, source) {
  let outcome = 'model';
  let outputs;
  let model;
  let needed = 0;
  try {
    model = await load(seed, source);
    needed = neededBy(model);
    outcome = 'model, too large to run here';
    if (needed > kMaxRun) return { outcome, needed };
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
 * Runs case `number` and returns { outcome, seed, time, fresh }. `outcome` is the name of a typed
 * error or 'model'. `fresh` is true if so much memory was used that the next case should start a
 * new instance. Throws for any other error, a leak and excessive memory. Also throws if a file
 * whose checksum covers the damage, or the next undamaged file, has other results.
 */
export async function runCase(number) {
  const random = generator(number * 7919 + 1);
  const seed = all[number % all.length];
  const correct = await expectedResults(seed);
  const before = mf.memory();
  const { source, hasChecksum } = damage(seed, random);
  // Measures CPU time, because other programs may run at the same time.
  const start = process.cpuUsage();
  const { outcome, outputs, needed } = await attempt(seed, source);
  const { user, system } = process.cpuUsage(start);
  const time = (user + system) / 1000;
  const after = mf.memory();
  const isCorrect = (outputs) => JSON.stringify(outputs) === JSON.stringify(correct);
  if (hasChecksum && outputs && correct && !isCorrect(outputs)) {
    throw new Error('different results from an archive whose checksums agree');
  }
  // The counts may be lower, if the garbage collector freed tensors of an earlier case.
  if (after.tensors > before.tensors || after.bytes > before.bytes) {
    throw new Error(
      `${after.tensors - before.tensors} tensors left, ${after.bytes - before.bytes} bytes`,
    );
  }
  const grown = after.heapBytes - before.heapBytes;
  if (grown > kMaxMemory + needed) {
    throw new Error(`wasm memory grew by ${grown} bytes; the model needs ${needed}`);
  }
  if (number % 8 === 0 && correct && !isCorrect(await resultsOf(seed))) {
    throw new Error('the undamaged file has different results afterwards');
  }
  return { outcome, seed: seed.name, time, fresh: after.heapBytes > kMaxMemory / 2 };
}

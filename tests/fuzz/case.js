// SPDX-License-Identifier: MIT
// One damaged file: what loading it and running it comes to.
import { readFileSync } from 'node:fs';
import * as mf from '../../dist/index.js';
import { toTensor } from '../support/golden.js';
import { generator, whole } from '../support/random.js';
import { mutateBytes, mutateJson } from './mutate.js';
import { packed, seeds } from './seeds.js';

const all = seeds();
export const seedNames = all.map(({ name }) => name);

const isJson = (name) => name.endsWith('.json');

/** The damaged source of case `number`, and whether a checksum guards what was damaged. */
function damaged(seed, random) {
  const names = Object.keys(seed.files);
  const archive = seed.kind === 'keras' && random() < 0.25;
  if (archive) return { source: mutateBytes(packed(seed), random), guarded: true };
  const name = names[whole(random, 0, names.length - 1)];
  const byJson = isJson(name) && random() < 0.8;
  const bytes = (byJson ? mutateJson : mutateBytes)(seed.files[name], random);
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

async function loaded(seed, source) {
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

function predict(model, seed) {
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

/** What the undamaged file says. */
async function wanted(seed) {
  if (!expected.has(seed.name)) {
    const model = await loaded(seed, packed(seed));
    expected.set(seed.name, predict(model, seed));
    model.dispose();
  }
  return expected.get(seed.name);
}

/**
 * Runs case `number`: { outcome, seed }. `outcome` is the name of a typed error, 'model', or throws what must not
 * happen: another error, a leak, or other numbers where a checksum guards the contents.
 */
export async function runCase(number) {
  const random = generator(number * 7919 + 1);
  const seed = all[number % all.length];
  const right = await wanted(seed);
  const before = mf.memory();
  const { source, guarded } = damaged(seed, random);
  let outcome = 'model';
  let outputs;
  let model;
  try {
    model = await loaded(seed, source);
    outcome = 'model, which refuses the input';
    outputs = predict(model, seed);
    outcome = 'model';
  } catch (error) {
    if (!(error instanceof mf.MaskflowError)) throw error;
    if (!model) outcome = error.name;
  } finally {
    model?.dispose();
  }
  if (guarded && outputs && JSON.stringify(outputs) !== JSON.stringify(right)) {
    throw new Error('other numbers from an archive whose checksums agree');
  }
  const after = mf.memory();
  if (after.tensors !== before.tensors || after.bytes !== before.bytes) {
    throw new Error(
      `${after.tensors - before.tensors} tensors left, ${after.bytes - before.bytes} bytes`,
    );
  }
  return { outcome, seed: seed.name };
}

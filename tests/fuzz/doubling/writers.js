// SPDX-License-Identifier: MIT
// Writers: models, weights and descriptions of many layers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as mf from '../../../dist/train.js';
import { names } from './graphs.js';

const range = (size, make) => Array.from({ length: size }, (_, i) => make(i));

const plain = (size, random) => {
  const name = names(random);
  return new mf.Sequential([
    mf.Input({ shape: [1] }),
    ...range(size, (i) => mf.layers.dense({ units: 1, name: name(i).replaceAll('/', '|') })),
  ]);
};
const graph = (size) => {
  const x = mf.Input({ shape: [2] });
  let y = x;
  for (let i = 0; i < size; i++)
    y = i % 2 ? mf.layers.dense({ units: 2 }).apply(y) : mf.ops.add(y, x);
  return new mf.Model({ inputs: x, outputs: y });
};
const ops = (size) => {
  const x = mf.Input({ shape: [2] });
  let y = x;
  for (let i = 0; i < size; i++) y = mf.ops.add(y, 1);
  return new mf.Model({ inputs: x, outputs: y });
};
const star = (size) => {
  const x = mf.Input({ shape: [2] });
  const parts = range(size, () => mf.layers.activation({ activation: 'relu' }).apply(x));
  return new mf.Model({ inputs: x, outputs: mf.layers.concatenate().apply(parts) });
};
/** A custom layer with weights of its own, inside a model. */
class OwnWeights extends mf.Layer {
  constructor({ count, ...options }) {
    super(options);
    this.count = count;
  }
  getConfig() {
    return { ...super.getConfig(), count: this.count };
  }
  build() {
    this.all = range(this.count, (i) => this.addWeight({ name: `w${i}`, shape: [1] }));
  }
  call(x) {
    return mf.ops.add(x, this.all.at(-1));
  }
}
mf.registerLayer(OwnWeights);
const ownWeights = (size) =>
  new mf.Sequential([mf.Input({ shape: [1] }), new OwnWeights({ count: size })]);
const makers = {
  'many layers': plain,
  'a graph': graph,
  'a graph of ops': ops,
  'a star': star,
  'many own weights': ownWeights,
};

async function inFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-doubling-'));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const uses = {
  save: (model) => model.save(),
  saveWeights: (model) => inFolder((folder) => model.saveWeights(join(folder, 'm.weights.h5'))),
  saveTfjs: (model) => inFolder((folder) => model.saveTfjs(join(folder, 'model.json'))),
  getConfig: (model) => model.getConfig(),
  toJSON: (model) => JSON.stringify(model),
  summary: (model) => model.summary(),
  traceMasks: (model) =>
    String(model.traceMasks(mf.ops.ones([1, model.inputs?.[0]?.shape?.[1] ?? 1]))),
  predict: (model) => model.predict(mf.ops.ones([1, model.inputs?.[0]?.shape?.[1] ?? 1])),
  cloneModel: (model) => mf.cloneModel(model),
  weights: (model) => {
    const weights = model.getWeights();
    model.setWeights(weights);
    for (const weight of weights) weight.dispose();
  },
  trainableVariables: (model) => model.trainableVariables,
  trainOnBatch: async (model) => {
    model.compile({ optimizer: 'adam', loss: 'mse' });
    const width = model.inputs?.[0]?.shape?.[1] ?? 1;
    const y = model.predict(mf.ops.ones([1, width]));
    await model.trainOnBatch(mf.ops.ones([1, width]), y);
    await model.save();
  },
};

const structure = (make, use) => ({
  make,
  async run(model) {
    try {
      const result = await use(model);
      if (result?.dispose && result !== model) result.dispose();
    } finally {
      model.dispose();
    }
  },
  max: 2 ** 15,
});

export const writerStructures = {
  ...Object.fromEntries(
    Object.entries(uses).flatMap(([what, use]) =>
      Object.entries(makers).map(([kind, make]) => [`${what}: ${kind}`, structure(make, use)]),
    ),
  ),
  ...Object.fromEntries(
    Object.entries(makers).map(([kind, make]) => [
      `create: ${kind}`,
      {
        make: (size, random) => [size, random],
        run: ([size, random]) => make(size, random),
        max: 2 ** 15,
      },
    ]),
  ),
};

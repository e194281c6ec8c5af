// SPDX-License-Identifier: MIT
// Makes models of the modules in tests/fixtures/torch, trains and saves them for real Keras to
// open: node tests/fuzz/save_torch.js FOLDER [SEED], then python tests/fuzz/open_saved.py FOLDER
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readTorch } from '../../dist/torch.js';
import * as mf from '../../dist/train.js';
import { generator, integer, pick } from '../support/random.js';

const { Input, layers, Model, ops, Sequential } = mf;
const [folder, seed = '1'] = process.argv.slice(2);
const kRows = 4;
const kTime = 8;
const fixtures = new URL('../fixtures/torch/', import.meta.url);
const toCamel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
const inCamel = (config) =>
  Object.fromEntries(Object.entries(config).map(([name, value]) => [toCamel(name), value]));

const steps = (features) => Input({ shape: [null, features] });
/** Attention of a sequence to itself, behind a Masking layer. */
function attending(layer, features) {
  const input = steps(features);
  const x = layers.masking().apply(input);
  return new Model({ inputs: input, outputs: layer.apply({ query: x, value: x }) });
}
const masked = (features, ...rest) => new Sequential([steps(features), layers.masking(), ...rest]);

/** How a model is made of each kind of recorded case. */
const makers = {
  rnn: ({ root, config }) => masked(config.input_size, root({ returnSequences: true })),
  classifier: ({ part }) =>
    new Sequential([
      Input({ shape: [null], dtype: 'int32' }),
      part('embedding', { maskZero: true }),
      part('rnn', { returnSequences: false, dropout: 0.1 }),
      part('fc', { activation: 'tanh' }),
    ]),
  attention: ({ root, config }) => attending(root(), config.embed_dim),
  encoder: ({ root, config }) => masked(config.d_model, root({ dropout: 0.1 })),
  conv: ({ root, config }) => new Sequential([steps(config.in_channels), root()]),
  norms: ({ part, config }) =>
    new Sequential([
      Input({ shape: [config.features] }),
      ...['fc', 'ln', 'bn', 'act'].map((name) => part(name)),
    ]),
};

/** Files that no recorded case has: other paddings, and a module with all its settings. */
const more = {
  async 'another padding'() {
    const file = await readTorch(fixture('cases/classifier-11-0/model.pth'));
    const parts = [file.layer('embedding', { maskId: 2 }), file.layer('rnn'), file.layer('fc')];
    return new Sequential([Input({ shape: [null], dtype: 'int32' }), ...parts]);
  },
  async 'a whole module'() {
    const file = await readTorch(fixture('whole/module.pth'));
    const parts = ['emb', 'rnn', 'norm', 'enc', 'conv'].map((path) =>
      file.layer(path, path === 'emb' ? { maskZero: true } : {}),
    );
    return new Sequential([Input({ shape: [null], dtype: 'int32' }), ...parts]);
  },
  async 'a stride beside a dilation'() {
    const file = await readTorch(fixture('cases/conv-11-14/model.pth'));
    const [{ path, inChannels }] = file.modules;
    const settings = { dilation: 2, stride: 2, padding: 3 };
    return new Sequential([steps(inChannels), file.layer(path, settings)]);
  },
};
const fixture = (path) => fileURLToPath(new URL(path, fixtures));

async function modelOf(name) {
  if (more[name]) return more[name]();
  const recorded = JSON.parse(readFileSync(fixture(`cases/${name}/case.json`), 'utf8'));
  const { kind, prefix, config } = recorded;
  const file = await readTorch(fixture(`cases/${name}/${recorded.files.at(-1)}`));
  const options = inCamel(config);
  return makers[kind]({
    config,
    root: (settings = {}) => file.layer(prefix, { ...options, ...settings }),
    part: (path, settings) => file.layer(prefix ? `${prefix}.${path}` : path, settings),
  });
}

/** Random ids or numbers, with padding at the ends of some rows. */
function inputOf(random, { shape, dtype }) {
  const [, ...sizes] = shape.map((dim) => dim ?? kTime);
  const size = kRows * sizes.reduce((a, b) => a * b, 1);
  const isId = dtype === 'int32';
  const inner = size / kRows / (sizes[0] ?? 1);
  const data = Float32Array.from({ length: size }, (_, i) => {
    const step = Math.floor(i / inner) % sizes[0];
    const row = Math.floor(i / inner / sizes[0]);
    if (step > row && (isId || sizes.length > 1)) return 0;
    return isId ? integer(random, 1, 4) : 2 * random() - 1;
  });
  return mf.tensor(data, { shape: [kRows, ...sizes], dtype });
}

const plain = (tensor) => ({
  shape: tensor.shape,
  dtype: tensor.dtype,
  data: [...tensor.data()].map((x) => (Number.isFinite(x) ? Number(x) : String(x))),
});

async function save(name, random, file) {
  const model = await modelOf(name);
  const x = inputOf(random, model.inputs[0]);
  const before = model.predict(x);
  const y = ops.zerosLike(before).add(pick(random, [0.25, -0.5]));
  model.compile({ optimizer: 'adam', loss: 'mse' });
  await model.fit(x, y, { epochs: 2, verbose: 0, seed: 1 });
  const after = model.predict(x);
  if (String(before.data()) === String(after.data())) throw new Error('training changed nothing');
  writeFileSync(`${folder}/${file}`, await model.save());
  return { file, name, form: 'trained', inputs: [plain(x)], outputs: [plain(after)] };
}

await mf.ready({ seed: 7, onMaskDropped: 'silent' });
mkdirSync(folder, { recursive: true });
const names = [...readdirSync(fixture('cases')), ...Object.keys(more)];
const index = [];
const problems = [];
for (const [i, name] of names.entries()) {
  try {
    index.push(await save(name, generator(Number(seed) * 1000 + i), `torch_${i}.keras`));
  } catch (error) {
    problems.push(`${name}: ${error.name}: ${error.message}`.slice(0, 300));
  }
}
writeFileSync(`${folder}/index.json`, JSON.stringify(index));
console.log(`${index.length} models saved; not saved: ${problems.length}\n${problems.join('\n')}`);
process.exitCode = problems.length > 0 ? 1 : 0;

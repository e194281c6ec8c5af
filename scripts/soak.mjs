// SPDX-License-Identifier: MIT
// Predicts, streams, loads, builds and disposes for a long time, and checks that memory does not
// grow: node scripts/soak.mjs [minutes = 30]
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as mf from '../dist/index.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');
const minutes = Number(process.argv[2] ?? 30);
const samples = 60;
const { Input, Layer, Model, Sequential, layers, ops, tensor } = mf;

class Scaled extends Layer {
  build([, , features]) {
    this.scale = this.addWeight({ name: 'scale', shape: [features], initializer: 'ones' });
  }
  call(x) {
    return ops.multiply(x, this.scale.value);
  }
}
mf.registerLayer(Scaled, { package: 'soak' });

function build(units) {
  const ids = Input({ shape: [null], dtype: 'int32' });
  const x = layers.embedding({ inputDim: 500, outputDim: 32, maskZero: true }).apply(ids);
  const y = layers.lstm({ units, returnSequences: true }).apply(new Scaled().apply(x));
  return new Model({ inputs: ids, outputs: layers.dense({ units: 4 }).apply(y) });
}

/** Runs one round of everything that a program does, and returns some of its numbers. */
async function round(number, { model, file, steady }) {
  const rows = 1 + (number % 4);
  const ids = Int32Array.from({ length: rows * 20 }, (_, i) => (i * 7 + number) % 500);
  const x = tensor(ids, { shape: [rows, 20] });
  mf.tidy(() => {
    model.predict(x);
    model.evaluate(x, ops.zeros([rows, 20, 4]), { loss: 'mse', metrics: ['mae'] });
    for (const { masksIn, masksOut } of model.traceMasks(x)) {
      for (const mask of [masksIn, masksOut].flat()) mask?.dispose?.();
    }
    for (let i = 0; i < 20; i++) steady.step(new Float32Array(8), { out: new Float32Array(4) });
    const stream = steady.clone();
    stream.state = steady.state;
    stream.dispose();
  });
  const loaded = await mf.loadModel(file);
  loaded.predict(x).dispose();
  loaded.dispose();
  mf.tidy(() => {
    const built = build(16);
    built.predict(x);
    built.setWeights(built.getWeights());
    built.dispose();
    try {
      model.predict([['text']]);
    } catch {}
  });
  x.dispose();
}

function sample() {
  gc();
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
  const { tensors, bytes, heapBytes } = mf.memory();
  return { heapUsed, external, arrayBuffers, rss, tensors, bytes, heapBytes };
}

const turn = () => new Promise((done) => setTimeout(done, 5));
const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

await mf.ready({ onMaskDropped: 'silent' });
const model = build(32);
const recurrent = new Sequential([
  Input({ shape: [null, 8] }),
  layers.gru({ units: 16, returnSequences: true }),
  layers.dense({ units: 4 }),
]);
const world = { model, file: await model.save(), steady: recurrent.stream() };
const end = performance.now() + minutes * 60_000;
const taken = [];
let rounds = 0;
let next = performance.now();
while (performance.now() < end) {
  await round(rounds, world);
  rounds++;
  if (rounds % 20 === 0) await turn();
  if (performance.now() < next) continue;
  next += (minutes * 60_000) / samples;
  for (let i = 0; i < 3; i++) {
    gc();
    await turn();
  }
  taken.push(sample());
  const { heapUsed, external, rss, tensors, bytes, heapBytes } = taken.at(-1);
  const mb = (n) => `${(n / 2 ** 20).toFixed(2)} MB`.padStart(10);
  console.log(
    `${String(rounds).padStart(8)} rounds  wasm${mb(heapBytes)} (${tensors} tensors,${mb(bytes)})  JavaScript${mb(heapUsed)}  external${mb(external)}  process${mb(rss)}`,
  );
}

// The first fifth of the rounds warms up and does not count.
const steady = taken.slice(Math.floor(taken.length / 5));
const third = Math.max(1, Math.floor(steady.length / 3));
let grown = 0;
for (const [name, allowed] of [
  ['tensors', 0],
  ['bytes', 0],
  ['heapBytes', 0],
  ['heapUsed', 1 << 20],
  ['external', 1 << 20],
]) {
  const [before, after] = [steady.slice(0, third), steady.slice(-third)].map((part) =>
    median(part.map((one) => one[name])),
  );
  const flat = after <= before + allowed;
  if (!flat) grown++;
  console.log(`${name.padEnd(10)} ${before} -> ${after} ${flat ? 'flat' : 'GROWS'}`);
}
console.log(`${rounds} rounds in ${minutes} minutes`);
process.exitCode = grown;

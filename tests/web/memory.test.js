// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { runModule, runNode } from '../support/programs.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const { layers, ops, padSequences, tensor } = mf;
const live = () => {
  const { tensors, bytes } = mf.memory();
  return { tensors, bytes };
};

class Custom extends mf.Layer {
  call(x, { mask }) {
    const keptSteps =
      mask === null ? x : ops.multiply(x, ops.expandDims(ops.cast(mask, 'float32'), -1));
    return ops.add(ops.relu(keptSteps), ops.exp(x));
  }
}

test('1000 predictions leave memory use unchanged', () => {
  const model = new mf.Sequential([
    layers.embedding({ inputDim: 50, outputDim: 8, maskZero: true }),
    new Custom(),
    layers.bidirectional({ layer: layers.lstm({ units: 4, returnSequences: true }) }),
    layers.gru({ units: 4 }),
  ]);
  const ids = padSequences(
    [
      [1, 2, 3],
      [4, 5],
    ],
    { padding: 'post' },
  );
  model.predict(ids).dispose();
  const start = { ...live(), heapBytes: mf.memory().heapBytes };
  for (let i = 0; i < 1000; i++) model.predict(ids).dispose();
  assert.deepEqual({ ...live(), heapBytes: mf.memory().heapBytes }, start);
});

test('1000 errors leave memory use unchanged', () => {
  const layer = layers.lstm({ units: 4 });
  const valid = tensor(new Float32Array(12), { shape: [1, 4, 3] });
  const invalid = tensor(new Float32Array(20), { shape: [1, 4, 5] });
  layer.apply(valid).dispose();
  const start = { ...live(), heapBytes: mf.memory().heapBytes };
  for (let i = 0; i < 1000; i++) assert.throws(() => layer.apply(invalid), mf.ShapeError);
  assert.deepEqual({ ...live(), heapBytes: mf.memory().heapBytes }, start);
  layer.apply(valid).dispose();
});

test('dispose and using free memory at once', () => {
  const start = live();
  const x = tensor(new Float32Array(1000));
  assert.equal(live().bytes - start.bytes, 4000);
  x[Symbol.dispose]();
  x.dispose();
  assert.deepEqual(live(), start);
  const layer = layers.dense({ units: 10 });
  layer.build([null, 10]);
  layer.setWeights([new Float32Array(100), new Float32Array(10)]);
  assert.ok(live().tensors > start.tensors);
  layer.dispose();
  assert.deepEqual(live(), start);
});

test('tidy keeps tensors that are returned or passed to keep()', () => {
  const start = live();
  let keptTensor;
  const result = mf.tidy(() => {
    const x = tensor([1, 2, 3]);
    keptTensor = mf.keep(ops.add(x, 1));
    return { y: ops.add(x, 2) };
  });
  assert.equal(live().tensors - start.tensors, 2);
  assert.deepEqual(result.y.array(), [3, 4, 5]);
  assert.deepEqual(keptTensor.array(), [2, 3, 4]);
  result.y.dispose();
  keptTensor.dispose();
  assert.deepEqual(live(), start);
});

test('the garbage collector frees unreachable tensors, and only those', () => {
  const code = `
    const m = await import('${new URL('../../dist/index.js', import.meta.url)}');
    await m.ready();
    const held = m.tensor(new Float32Array(1000));
    for (let i = 0; i < 100; i++) m.tensor(new Float32Array(1000));
    for (let i = 0; i < 50 && m.memory().tensors > 1; i++) {
      globalThis.gc();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    console.log(JSON.stringify([m.memory(), held.size]));`;
  const output = runNode(['--expose-gc', '--input-type=module', '-e', code]);
  const [memory, size] = JSON.parse(output);
  assert.equal(memory.tensors, 1);
  assert.equal(memory.bytes, 4000);
  assert.equal(size, 1000);
});

test('objects of an instance that is replaced keep no later ones from being freed', () => {
  // V8 calls no finalizer any more after it has collected a registry with collected targets.
  const code = `
    const m = await import('${new URL('../../dist/index.js', import.meta.url)}');
    await m.ready();
    let held = Array.from({ length: 20 }, () => m.tensor([1]));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await m.restart();
    held = null;
    globalThis.gc();
    const kept = m.tensor([1]);
    await Promise.resolve();
    globalThis.gc();
    for (let i = 0; i < 100; i++) m.tensor(new Float32Array(1000));
    for (let i = 0; i < 50 && m.memory().tensors > 1; i++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      globalThis.gc();
    }
    console.log(m.memory().tensors, kept.shape[0]);`;
  assert.equal(runNode(['--expose-gc', '--input-type=module', '-e', code]), '1 1\n');
});

test('engines without finalizers and weak references compute, and free what is disposed of', () => {
  // Node's own Response loads these modules when it is first used.
  const code = `
    new Response('');
    delete globalThis.FinalizationRegistry;
    delete globalThis.WeakRef;
    const m = await import('${new URL('../../dist/index.js', import.meta.url)}');
    await m.ready();
    const x = m.tensor([[1, 2]]);
    const model = new m.Sequential([m.layers.dense({ units: 2, kernelInitializer: 'ones' })]);
    const y = model.predict(x);
    console.log(JSON.stringify([y.array(), model.layers.length]));
    for (const made of [x, y]) made.dispose();
    console.log(m.memory().tensors);`;
  assert.equal(runModule(code), '[[[3,3]],1]\n2\n');
});

test('loading a large model needs one copy of its weights', () => {
  const code = `
    import { Input, layers, loadModel, memory, ready, restart, Sequential } from './dist/index.js';
    await ready();
    const model = new Sequential([
      Input({ shape: [1] }),
      layers.embedding({ inputDim: 50_000, outputDim: 128 }),
      layers.dense({ units: 50_000 }),
    ]);
    const file = await model.save();
    const weights = memory().bytes;
    await restart();
    const again = await loadModel(file);
    console.log(memory().bytes - weights, memory().heapBytes / weights);`;
  const [more, times] = runModule(code).trim().split(' ').map(Number);
  assert.equal(more, 0);
  assert.ok(times < 1.2, `${times} times the weights`);
});

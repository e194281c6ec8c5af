// SPDX-License-Identifier: MIT
// After a trap an instance is dead and every call says so; restart() creates a new one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as mf from '../../dist/index.js';
import { runNode } from '../support/programs.js';
import { trappingWasm } from '../support/trapping_wasm.js';

const { Layer, Sequential, Input, layers, ops, tensor } = mf;
const dead = { name: 'StateError', message: /dead.*unreachable.*restart\(\)/ };
const old = { name: 'StateError', message: /before restart\(\)/ };

test('restart() before ready() is a StateError', async () => {
  await assert.rejects(mf.restart(), { name: 'StateError', message: /ready/ });
});

const trap = (model) => assert.throws(() => model.predict([[1, 2]]), dead);

test('a trap ends the instance: every later call throws an error with the cause', async () => {
  await mf.ready({ wasm: trappingWasm('predict_one_at'), variant: 'simd', onMaskDropped: 'error' });
  const model = new Sequential([Input({ shape: [2] }), layers.dense({ units: 1 })]);
  const recurrent = new Sequential([Input({ shape: [null, 2] }), layers.gru({ units: 1 })]);
  const stream = recurrent.stream();
  const dense = layers.dense({ units: 1 });
  const x = tensor([[1, 2]]);
  const variable = new Layer().addWeight({ name: 'w', shape: [1] });
  trap(model);
  assert.equal(typeof x.isDisposed, 'boolean');
  for (const call of [
    () => model.predict(x),
    () => model.weights,
    () => model.name,
    () => dense.apply(x),
    () => stream.step([[1, 2]]),
    () => stream.state,
    () => x.data(),
    () => x.shape.length && x.mask,
    () => variable.value,
    () => ops.add(1, 2),
    () => layers.dense({ units: 1 }),
    () => tensor([1]),
    () => Input({ shape: [1] }),
    () => mf.memory(),
    () => mf.runtimeInfo(),
    () => model.stream(),
    () => model.evaluate(x, x, { loss: 'mse' }),
    () => mf.Model.fromConfig({ layers: [] }),
    () => mf.losses.meanSquaredError([1], [1]),
    () => mf.padSequences([[1]]),
  ]) {
    assert.throws(call, dead, String(call));
  }
  for (const call of [
    () => model.save(),
    () => model.profile(x),
    () =>
      mf.loadModel(JSON.stringify({ class_name: 'Sequential', config: { layers: [] } }), {
        weights: null,
      }),
  ]) {
    await assert.rejects(call(), dead, String(call));
  }
  for (const object of [x, model, stream, dense]) {
    object.dispose();
    object.dispose();
  }
  mf.tidy(() => {});
});

test('restart() creates a new instance; objects of the old one refuse use', async () => {
  await mf.restart();
  const oldTensor = tensor([1, 2]);
  const model = new Sequential([Input({ shape: [2] }), layers.dense({ units: 1 })]);
  const recurrent = new Sequential([Input({ shape: [null, 2] }), layers.gru({ units: 1 })]);
  const stream = recurrent.stream();
  const symbol = Input({ shape: [2] });
  assert.equal(mf.runtimeInfo().onMaskDropped, 'error', 'settings stay');
  const together = [mf.restart(), mf.restart()];
  await Promise.all(together);
  for (const call of [
    () => oldTensor.data(),
    () => oldTensor.shape.length && ops.add(oldTensor, 1),
    () => model.apply([[1, 2]]),
    () => model.weights,
    () => new Sequential([model]),
    () => layers.timeDistributed({ layer: model }),
    () => stream.step([[1, 2]]),
    () => stream.clone(),
    () => layers.dense({ units: 1 }).apply(symbol),
    () => layers.dense({ units: 1 }).setWeights([oldTensor, oldTensor]),
    () => new mf.Model({ inputs: symbol, outputs: symbol }),
  ]) {
    assert.throws(call, old, String(call));
  }
  const { tensors } = mf.memory();
  for (const object of [oldTensor, model, recurrent, stream, symbol]) object.dispose();
  assert.equal(mf.memory().tensors, tensors, 'the new instance does not change');
  assert.deepEqual(ops.add([1], [2]).array(), [3]);
  assert.deepEqual(
    layers
      .dense({ units: 1, kernelInitializer: 'ones' })
      .apply([[1, 2]])
      .array(),
    [[3]],
  );
});

test('a trap inside layer code ends all outer calls', async () => {
  const inner = new Sequential([layers.dense({ units: 1 })]);
  class Nesting extends Layer {
    call(x) {
      assert.throws(() => inner.predict([[1, 2]]), dead);
      return x;
    }
  }
  assert.throws(() => new Nesting().apply([[1, 2]]), dead);
  assert.throws(() => ops.add(1, 2), dead);
  await mf.restart();
  assert.equal(ops.add(1, 2).item(), 3);
});

test('restart() keeps the settings except for the seed', async () => {
  await mf.ready({ maxBytes: 1e6, onMaskDropped: 'silent' });
  await mf.restart();
  assert.throws(() => ops.zeros([1e6]), { name: 'StateError', message: /at most 1000000 bytes/ });
  assert.equal(mf.runtimeInfo().onMaskDropped, 'silent');
  await mf.ready({ maxBytes: 2 ** 30, onMaskDropped: 'warn' });
});

test('restart() inside layer code waits for the end of the call', async () => {
  let restarting;
  class Restarts extends Layer {
    call(x) {
      restarting = mf.restart();
      return ops.add(x, 1);
    }
  }
  const layer = new Restarts();
  const y = layer.apply([1]);
  assert.deepEqual(y.array(), [2]);
  await restarting;
  assert.throws(() => y.array(), old);
  assert.equal(inspect(y), 'Tensor(of a lost wasm instance)');
  assert.equal(inspect(layer), '<Layer of a lost wasm instance>');
  assert.throws(() => layer.apply([1]), old);
});

test('a stack that user code has filled: typed errors or errors of the engine, and restart() helps', async () => {
  const model = new Sequential([layers.masking(), layers.lstm({ units: 2 })]);
  const x = tensor([[[1, 2]]]);
  const errors = [];
  const deep = () => {
    try {
      deep();
    } finally {
      try {
        model.apply(x).dispose();
      } catch (error) {
        errors.push(error);
      }
    }
  };
  assert.throws(deep, RangeError);
  assert.ok(errors.length > 0);
  for (const error of errors) {
    assert.ok(error instanceof mf.StateError || error instanceof RangeError, String(error));
  }
  await mf.restart();
  assert.equal(ops.add(1, 2).item(), 3);
});

/**
 * Runs a program with `mf`, `collect` and `start`. `start` receives the names of functions that
 * trap.
 */
const run = (code) =>
  runNode([
    '--expose-gc',
    '--input-type=module',
    '-e',
    `
    import * as mf from '${new URL('../../dist/index.js', import.meta.url).href}';
    import { throwingWasm, trappingWasm } from '${new URL('../support/trapping_wasm.js', import.meta.url).href}';
    const { Input, layers, Sequential, tensor } = mf;
    const start = (name) => mf.ready({ wasm: trappingWasm(name), variant: 'simd' });
    const collect = async () => {
      for (let i = 0; i < 5; i++) {
        gc();
        await new Promise((done) => setTimeout(done, 10));
      }
    };
    ${code}
    console.log('end');
  `,
  ])
    .trim()
    .split('\n')
    .join(' ');

test('finalizers of a dead or replaced instance do nothing', () => {
  const output = run(`
    await start('predict_one_at');
    const make = () => {
      for (let i = 0; i < 2000; i++) tensor([i]);
      const model = new Sequential([Input({ shape: [null, 2] }), layers.lstm({ units: 2 })]);
      model.stream();
      return model;
    };
    let model = make();
    try { model.predict([[[1, 2]]]); } catch (error) { console.log(error.name); }
    model = null;
    await collect();
    await mf.restart();
    make();
    await mf.restart();
    const { tensors } = mf.memory();
    const kept = tensor([1]);
    await collect();
    console.log(mf.memory().tensors - tensors, kept.item());
  `);
  assert.equal(output, 'StateError 1 1 end');
});

test("an exception that bypassed the core's own catch ends the instance", () => {
  const output = run(`
    await mf.ready({ wasm: throwingWasm('predict_one_at'), variant: 'simd' });
    const model = new Sequential([Input({ shape: [2] }), layers.dense({ units: 1 })]);
    for (let i = 0; i < 2; i++) {
      try { model.predict([[1, 2]]); } catch (error) {
        console.log(error.name, /dead.*WebAssembly.Exception.*restart/.test(error.message), error.cause instanceof WebAssembly.Exception);
      }
    }
    await mf.restart();
    console.log(tensor([1]).item());
  `);
  assert.equal(output, 'StateError true true StateError true true 1 end');
});

test('a finalizer that traps does not end the process, and the instance is dead', () => {
  const output = run(`
    await start('tensor_free');
    (() => { for (let i = 0; i < 2000; i++) tensor([i]); })();
    await collect();
    try { tensor([1]); } catch (error) { console.log(error.name); }
    await mf.restart();
    console.log(tensor([1]).item());
  `);
  assert.equal(output, 'StateError 1 end');
});

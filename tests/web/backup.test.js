// SPDX-License-Identifier: MIT
// backupAndRestore: an interrupted training continues as if it had not been interrupted.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as mf from '../../dist/train.js';

before(() => mf.ready());
const { Sequential, callbacks, layers, optimizers } = mf;
const folder = mkdtempSync(join(tmpdir(), 'maskflow-backup-'));
after(() => rmSync(folder, { recursive: true }));

const x = Array.from({ length: 12 }, (_, i) => [Math.sin(i), Math.cos(i)]);
const y = x.map(([a, b]) => [a * b]);

function modelOf(units = 3) {
  const model = new Sequential([
    mf.Input({ shape: [2] }),
    layers.dense({ units, activation: 'tanh' }),
    layers.dense({ units: 1 }),
  ]);
  model.setWeights(
    model.weights.map(({ shape }, k) => {
      const size = shape.reduce((product, dim) => product * dim, 1);
      return mf.tensor(
        Float32Array.from({ length: size }, (_, i) => Math.sin(7 * i + k)),
        { shape },
      );
    }),
  );
  model.compile({ optimizer: optimizers.adam({ learningRate: 0.05 }), loss: 'mse' });
  return model;
}
const options = { epochs: 5, batchSize: 4, seed: 3 };

/** Fails at the start of an epoch, once. */
function interruptionAt(epoch) {
  let isOver = false;
  return {
    onEpochBegin(each) {
      if (each !== epoch || isOver) return;
      isOver = true;
      throw new Error('the power failed');
    },
  };
}

function memoryStore() {
  const store = {
    bytes: null,
    writes: 0,
    read: () => store.bytes,
    write: async (bytes) => {
      store.bytes = bytes;
      store.writes++;
    },
    remove: () => {
      store.bytes = null;
    },
  };
  return store;
}

for (const [kind, make] of Object.entries({
  folder: () => join(folder, 'deep', 'run'),
  store: memoryStore,
})) {
  test(`training continues after an interruption (${kind})`, async () => {
    const expected = modelOf();
    const whole = await expected.fit(x, y, options);
    const to = make();
    const interruption = interruptionAt(3);
    const first = modelOf();
    const run = (model) =>
      model.fit(x, y, { ...options, callbacks: [callbacks.backupAndRestore(to), interruption] });
    await assert.rejects(run(first), /the power failed/);
    // The model of a new process has other weights.
    const second = modelOf();
    second.setWeights(second.getWeights().map((weight) => mf.ops.multiply(weight, 2)));
    const rest = await run(second);
    assert.deepEqual(rest.epoch, [3, 4]);
    assert.deepEqual(rest.history.loss, whole.history.loss.slice(3));
    assert.deepEqual(
      second.getWeights().map((weight) => weight.array()),
      expected.getWeights().map((weight) => weight.array()),
    );
    if (kind === 'folder') assert.ok(!existsSync(join(to, 'latest.backup')));
    else assert.equal(to.bytes, null);
    const again = await run(modelOf());
    assert.equal(again.history.loss.length, 5);
  });
}

test('saveFreq counts batches, and the backup can stay', async () => {
  const store = memoryStore();
  const backup = callbacks.backupAndRestore(store, { saveFreq: 2, deleteCheckpoint: false });
  await modelOf().fit(x, y, { ...options, callbacks: [backup] });
  assert.equal(store.writes, 7);
  assert.ok(store.bytes.length > 0);
});

test('a damaged backup is refused, and so is one of another model', async () => {
  const store = memoryStore();
  const keep = { deleteCheckpoint: false };
  const fit = (model) =>
    model.fit(x, y, {
      ...options,
      epochs: 6,
      callbacks: [callbacks.backupAndRestore(store, keep)],
    });
  await fit(modelOf());
  const { bytes } = store;
  for (let i = 0; i < bytes.length; i += 7) {
    store.bytes = bytes.slice(0, i);
    await assert.rejects(fit(modelOf()), mf.FormatError, `${i} bytes`);
  }
  for (let i = 0; i < 60; i++) {
    store.bytes = bytes.slice();
    store.bytes[i] ^= 1 << (i % 8);
    // A changed digit may still be a backup.
    await fit(modelOf()).catch((error) => assert.ok(error instanceof mf.FormatError, `${error}`));
  }
  store.bytes = bytes;
  await assert.rejects(fit(modelOf(4)), /of another model or optimizer/);
  const path = join(folder, 'file');
  writeFileSync(path, 'not a folder');
  const wrong = modelOf().fit(x, y, { callbacks: [callbacks.backupAndRestore(path)] });
  await assert.rejects(wrong, mf.StateError);
  assert.equal(readFileSync(path, 'utf8'), 'not a folder');
  for (const to of ['', 3, null, {}, { read() {} }]) {
    assert.throws(() => callbacks.backupAndRestore(to), mf.MaskflowError);
  }
});

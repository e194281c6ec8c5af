// SPDX-License-Identifier: MIT
// A stateful model whose input has a fixed batch size accepts only batches of that size, so that no
// row continues from the state of another. It is the default size, too. Keras 3.15.1 refuses the
// same sizes, but its default stays 32.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as mf from '../../dist/train.js';
import { openPool, openWorker } from '../../dist/worker.js';

const { Input, layers, Model, Sequential, tensor } = mf;
before(() => mf.ready({ seed: 4 }));

const kBatch = 40;

const rows = (count) =>
  tensor(
    Float32Array.from({ length: count * 6 }, (_, i) => Math.sin(i * 1.7)),
    { shape: [count, 3, 2] },
  );
const targets = (count) => tensor(new Float32Array(count), { shape: [count, 1] });

const makers = {
  functional() {
    const input = Input({ batchShape: [kBatch, 3, 2] });
    const states = layers.lstm({ units: 3, stateful: true }).apply(input);
    return new Model({ inputs: input, outputs: layers.dense({ units: 1 }).apply(states) });
  },
  'sequential with an Input': () =>
    new Sequential([
      Input({ shape: [3, 2], batchSize: kBatch }),
      layers.gru({ units: 3, stateful: true }),
      layers.dense({ units: 1 }),
    ]),
  'sequential whose first layer knows its input': () =>
    new Sequential([
      layers.lstm({ units: 3, stateful: true, batchInputShape: [kBatch, 3, 2] }),
      layers.dense({ units: 1 }),
    ]),
  'sequential with a model inside': () =>
    new Sequential([
      Input({ batchShape: [kBatch, 3, 2] }),
      new Sequential([layers.rnn({ cell: layers.lstmCell({ units: 3 }), stateful: true })]),
      layers.dense({ units: 1 }),
    ]),
};

/** Returns the outputs of batches of the fixed size, one call each. */
function oneByOne(model, x) {
  model.resetState();
  const parts = [];
  for (let first = 0; first < x.shape[0]; first += kBatch) {
    const batch = mf.ops.slice(x, [first, 0, 0], [kBatch, 3, 2]);
    parts.push(...model.apply(batch).data());
  }
  model.resetState();
  return parts;
}

const isRefusal = (error) =>
  error instanceof mf.ShapeError &&
  /a batch has \d+ rows but this stateful model has batches of 40/.test(error.message);

for (const [name, make] of Object.entries(makers)) {
  for (const source of ['built here', 'from a file']) {
    const open = async () => {
      const model = make();
      return source === 'built here' ? model : mf.loadModel(await model.save());
    };

    test(`${name}, ${source}: predict uses the fixed batch size`, async () => {
      const model = await open();
      for (const count of [kBatch, 2 * kBatch]) {
        const x = rows(count);
        const expected = oneByOne(model, x);
        for (const options of [{}, { batchSize: kBatch }, { batchSize: undefined }]) {
          assert.deepEqual([...model.predict(x, options).data()], expected);
          model.resetState();
        }
        assert.deepEqual([...(await model.predictAsync(x)).data()], expected);
        model.resetState();
      }
    });

    test(`${name}, ${source}: another batch size is refused`, async () => {
      const model = await open();
      for (const [count, options] of [
        [kBatch, { batchSize: 32 }],
        [2 * kBatch, { batchSize: 16 }],
        [2 * kBatch, { batchSize: 0 }],
        [kBatch + 5, {}],
        [16, {}],
      ]) {
        assert.throws(() => model.predict(rows(count), options), isRefusal);
        model.resetState();
      }
      assert.throws(() => model.apply(rows(16)), isRefusal);
      assert.throws(() => model.evaluate(rows(16), targets(16), { loss: 'mse' }), isRefusal);
    });

    test(`${name}, ${source}: evaluate and fit use the fixed batch size`, async () => {
      const [x, y] = [rows(2 * kBatch), targets(2 * kBatch)];
      const run = async (batchSize) => {
        const model = await open();
        model.setWeights(
          model.getWeights().map((weight) => mf.ops.add(mf.ops.zeros(weight.shape), 0.1)),
        );
        model.compile({ optimizer: 'sgd', loss: 'mse' });
        const { loss } = model.evaluate(x, y, { loss: 'mse', ...batchSize });
        model.resetState();
        const { history } = await model.fit(x, y, { shuffle: false, ...batchSize });
        return [loss, ...history.loss];
      };
      assert.deepEqual(await run({}), await run({ batchSize: kBatch }));
      await assert.rejects(run({ batchSize: 32 }), isRefusal);
    });
  }
}

test('a worker uses the fixed batch size; a pool refuses the model, predict computes it here', async () => {
  const model = makers['sequential with an Input']();
  const x = rows(2 * kBatch);
  const expected = oneByOne(model, x);
  const file = await model.save();
  const worker = await openWorker();
  const remote = await worker.loadModel(file);
  const input = { data: x.data(), shape: x.shape };
  assert.deepEqual([...(await remote.predict(input)).data()], expected);
  await assert.rejects(remote.predict(input, { batchSize: 32 }), /batches of 40/);
  worker.close();
  model.resetState();
  assert.deepEqual([...(await model.predict(x, { workers: 2 })).data()], expected);
  const pool = await openPool({ size: 2 });
  await assert.rejects(
    async () => (await pool.loadModel(file)).predict(input),
    (error) => error.name === 'UnsupportedError',
  );
  pool.close();
});

test('the command uses the fixed batch size', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stateful-'));
  const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
  const model = makers['sequential with an Input']();
  const x = rows(2 * kBatch);
  const [file, data, output] = ['m.keras', 'x.json', 'y.json'].map((name) => join(folder, name));
  writeFileSync(file, await model.save());
  writeFileSync(data, JSON.stringify(x.array()));
  const run = (...more) =>
    spawnSync(process.execPath, [cli, 'run', file, '-i', data, '-o', output, '-f', ...more], {
      encoding: 'utf8',
    });
  assert.equal(run().status, 0);
  const actual = JSON.parse(readFileSync(output, 'utf8')).flat();
  assert.deepEqual(actual.map(Math.fround), oneByOne(model, x));
  const { status, stderr } = run('--batch-size', '32');
  assert.notEqual(status, 0);
  assert.match(stderr, /batches of 40/);
  rmSync(folder, { recursive: true });
});

test('a model without a fixed batch size, or without states, accepts any', () => {
  const lstm = (stateful) => layers.lstm({ units: 3, stateful });
  const unfixed = new Sequential([Input({ shape: [3, 2] }), lstm(true)]);
  assert.deepEqual(unfixed.predict(rows(64)).shape, [64, 3]);
  const stateless = new Sequential([Input({ batchShape: [kBatch, 3, 2] }), lstm(false)]);
  for (const count of [1, 32, 64, 100]) {
    assert.deepEqual(stateless.predict(rows(count)).shape, [count, 3]);
  }
});

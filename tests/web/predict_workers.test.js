// SPDX-License-Identifier: MIT
// predict(x, { workers }): the workers keep a model until it changes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { suite, test } from 'node:test';
import { at } from '../../scripts/lib/files.mjs';
import * as mf from '../../dist/index.js';
import '../../dist/worker.js';
import { classifier, raggedIds } from '../support/workers.js';

const rows = (count = 400, steps = 50) => {
  const { data, shape } = raggedIds(count, steps);
  return mf.tensor(data, { shape });
};

const runModule = (text) =>
  execFileSync(process.execPath, ['--input-type=module', '-e', text], { encoding: 'utf8' });

/** A model and the number of times it was sent to a pool. */
function counting(model) {
  const counted = { model, sent: 0 };
  const { save } = model;
  model.save = (...args) => {
    counted.sent++;
    return save.apply(model, args);
  };
  return counted;
}

/** A model whose calls with 400 rows are worth a pool. */
const countedModel = async () => counting((await classifier(64)).model);

async function checkSame(model, input, workers = 2) {
  const expected = model.predict(input);
  const actual = await model.predict(input, { workers });
  assert.ok(actual instanceof mf.Tensor);
  assert.deepEqual([actual.shape, actual.data()], [expected.shape, expected.data()]);
}

suite('predict(x, { workers })', () => {
  test('needs the import that its error names', () => {
    const program = (more) => `${more}
      import { Input, layers, ready, Sequential } from '${at('dist', 'index.js')}';
      await ready();
      const model = new Sequential([Input({ shape: [2] }), layers.dense({ units: 1 })]);
      const result = await model.predictAsync([[1, 2]], { workers: 2 }).catch((error) => error);
      console.log(String(result));`;
    const without = runModule(program(''));
    assert.match(without, /^UnsupportedError: .* write import 'maskflow\/worker'\n$/);
    const line = /import 'maskflow\/worker'/.exec(without)[0];
    const added = line.replace('maskflow/worker', at('dist', 'worker.js'));
    assert.match(runModule(program(`${added};`)), /^\[\[/);
  });

  test('sends a model once, and again after its weights have changed', async () => {
    const counted = await countedModel();
    const { model } = counted;
    const input = rows();
    for (let i = 0; i < 3; i++) await checkSame(model, input);
    assert.equal(counted.sent, 1);
    model.setWeights(model.getWeights().map((weight) => mf.ops.multiply(weight, 0.5)));
    for (let i = 0; i < 3; i++) await checkSame(model, input);
    assert.equal(counted.sent, 2);
    const [kernel] = model.layers.at(-1).getWeights();
    model.layers.at(-1).setWeights([mf.ops.multiply(kernel, 2), [0.5, -0.5]]);
    await checkSame(model, input);
    assert.equal(counted.sent, 3);
  });

  test('sends a model again after a layer was added', async () => {
    const counted = await countedModel();
    const { model } = counted;
    const input = rows();
    await checkSame(model, input);
    model.add(mf.layers.dense({ units: 3 }));
    await checkSame(model, input);
    assert.equal(counted.sent, 2);
  });

  test('computes small calls in this thread', async () => {
    const counted = await countedModel();
    await checkSame(counted.model, rows(2, 5));
    assert.equal(counted.sent, 0);
  });

  test('does not count padding', async () => {
    const embedded = await countedModel();
    const { data, shape } = raggedIds(400, 50);
    const padded = data.map((id, i) => (i % shape[1] < 10 ? id : 0));
    await checkSame(embedded.model, mf.tensor(padded, { shape }));
    assert.equal(embedded.sent, 0);
    const recurrent = [mf.Input({ shape: [null, 64] }), mf.layers.lstm({ units: 64 })];
    const masked = counting(new mf.Sequential(recurrent));
    const x = mf.ops.ones([400, 50, 64]);
    const mask = mf.ops.notEqual(mf.tensor(padded, { shape }), 0);
    await masked.model.predict(x, { mask, workers: 2 });
    assert.equal(masked.sent, 0);
    await masked.model.predict(x, { workers: 2 });
    assert.equal(masked.sent, 1);
  });

  test('runs several calls at a time, also while weights change', async () => {
    const counted = await countedModel();
    const { model } = counted;
    const input = rows();
    const first = model.predict(input);
    const calls = [1, 2, 3].map(() => model.predict(input, { workers: 2 }));
    await calls[0];
    model.setWeights(model.getWeights().map((weight) => mf.ops.multiply(weight, 0.5)));
    const last = model.predict(input, { workers: 2 });
    for (const result of await Promise.all(calls)) {
      assert.deepEqual(result.data(), first.data());
    }
    assert.deepEqual((await last).data(), model.predict(input).data());
    assert.equal(counted.sent, 2);
  });

  test('keeps the models of the last calls, and computes with any number of them', async () => {
    const models = await Promise.all(Array.from({ length: 6 }, countedModel));
    const input = rows();
    models.forEach(({ model }, i) => {
      model.setWeights(model.getWeights().map((weight) => mf.ops.multiply(weight, 1 + i / 10)));
    });
    for (let round = 0; round < 2; round++) {
      for (const { model } of models) await checkSame(model, input);
    }
    await checkSame(models[5].model, input);
    assert.equal(models[5].sent, 2);
  });

  test('computes stateful models in this thread', async () => {
    const make = () => {
      const layer = mf.layers.lstm({ units: 64, stateful: true, kernelInitializer: 'ones' });
      return new mf.Sequential([mf.Input({ batchShape: [64, 30, 16] }), layer]);
    };
    const x = mf.tensor(new Float32Array(64 * 30 * 16).fill(0.01), { shape: [64, 30, 16] });
    const [one, other] = [make(), make()];
    other.setWeights(one.getWeights());
    for (let call = 0; call < 2; call++) {
      const actual = await one.predict(x, { workers: 2 });
      assert.deepEqual(actual.data(), other.predict(x).data());
    }
  });

  test('can be aborted, and has limits', async () => {
    const { model } = await countedModel();
    const input = rows();
    const reason = new Error('no more');
    for (const x of [[[1]], input]) {
      const signal = AbortSignal.abort(reason);
      await assert.rejects(model.predict(x, { workers: 2, signal }), (error) => error === reason);
    }
    for (const workers of [0, -1, 65, 1.5]) {
      await assert.rejects(model.predict(input, { workers }), mf.ValueError);
    }
    class Own extends mf.Layer {
      call(inputs) {
        return mf.ops.add(inputs, 1);
      }
    }
    const own = new mf.Sequential([
      mf.Input({ shape: [null, 64] }),
      mf.layers.lstm({ units: 128 }),
      new Own(),
    ]);
    const x = mf.tensor(new Float32Array(96 * 30 * 64), { shape: [96, 30, 64] });
    await assert.rejects(own.predict(x, { workers: 2 }), mf.MaskflowError);
    assert.deepEqual(own.predict(x).shape, [96, 128]);
  });

  test('works after restart()', async () => {
    await checkSame((await countedModel()).model, rows());
    await mf.restart();
    await checkSame((await countedModel()).model, rows());
  });
});

// SPDX-License-Identifier: MIT
// Models that begin with text, as Keras saved them: Sequential, graphs of several texts, models of
// text inside other models. tests/fixtures/text_models/record.py drew and recorded them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { before, describe, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import * as mf from '../../../dist/train.js';
import '../../../dist/text.js';
import { openWorker } from '../../../dist/worker.js';

await mf.ready();

const path = new URL('../../fixtures/text_models/cases.jsonl.gz', import.meta.url);
const cases = gunzipSync(readFileSync(path), {}).toString().trim().split('\n').map(JSON.parse);
const isText = ([first]) => typeof first === 'string';

/** Returns the inputs of a case, each of them changed by `convert`. */
function inputsOf({ x }, convert) {
  const values = x.map(convert);
  return values.length > 1 ? values : values[0];
}
const dataOf = (each) => inputsOf(each, (rows) => (isText(rows) ? rows : mf.tensor(rows)));

function assertNear(y, expected) {
  const numbers = [expected].flat(2);
  assert.equal(y.length, numbers.length);
  y.forEach((value, i) => {
    assert.ok(Math.abs(value - numbers[i]) < 1e-5, `${y} ${numbers}`);
  });
}
const assertPredicts = (model, each) =>
  assertNear(model.predict(dataOf(each)).array().flat(), each.y);

for (const each of cases) {
  describe(`${each.kind} model ${each.seed}`, () => {
    const file = Buffer.from(each.file, 'base64');
    let model;
    before(async () => {
      model = await mf.loadModel(file);
    });

    test('predicts what Keras predicts, with its names and vocabularies', () => {
      assert.ok(model.textLayers.length > 0);
      assertPredicts(model, each);
      const own = model.getConfig().layers.map(({ config }) => config.name);
      const isListed = each.layers.every((name) => own.includes(name));
      assert.ok(isListed, `${own} ${each.layers}`);
      const lists = (words) => words.map(String).sort();
      const known = model.textLayers.map((layer) => layer.getVocabulary());
      assert.deepEqual([...new Set(lists(known))], [...new Set(lists(each.vocabularies))]);
      assert.match(model.summary({ print() {} }), /TextVectorization/);
    });

    test('is saved, loaded and saved again', async () => {
      const once = await mf.loadModel(await model.save());
      assertPredicts(once, each);
      const twice = await mf.loadModel(await once.save());
      assertPredicts(twice, each);
      assert.deepEqual(twice.getConfig(), once.getConfig());
    });

    test('has clones, also of clones, and comes back from its config', async () => {
      const clone = mf.cloneModel(model);
      const copies = [clone, mf.cloneModel(clone), mf.Model.fromConfig(JSON.stringify(model))];
      for (const copy of copies) {
        copy.setWeights(model.getWeights());
        assertPredicts(copy, each);
        assertPredicts(await mf.loadModel(await copy.save()), each);
      }
    });

    test('is part of a graph, which is saved and cloned', async () => {
      const ends = inputsOf(each, (rows) =>
        isText(rows) ? mf.Input({ shape: [1], dtype: 'string' }) : mf.Input({ shape: [2] }),
      );
      const outputs = mf.layers.rescaling({ scale: 1 }).apply(model.apply(ends));
      const graph = new mf.Model({ inputs: ends, outputs });
      assertPredicts(graph, each);
      assertPredicts(await mf.loadModel(await graph.save()), each);
      const clone = mf.cloneModel(graph);
      clone.setWeights(graph.getWeights());
      assertPredicts(clone, each);
    });
  });
}

test('models read texts in a worker of their own, and with predict in workers', async () => {
  const program = `
    import { loadModel, ready, tensor } from '${new URL('../../../dist/index.js', import.meta.url)}';
    import '${new URL('../../../dist/text.js', import.meta.url)}';
    import { parentPort, workerData } from 'node:worker_threads';
    await ready();
    const numbers = [];
    for (const { file, x } of workerData) {
      const model = await loadModel(Buffer.from(file, 'base64'));
      const values = x.map((rows) => (typeof rows[0] === 'string' ? rows : tensor(rows)));
      numbers.push(model.predict(values.length > 1 ? values : values[0]).array().flat());
    }
    parentPort.postMessage(numbers);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
    workerData: cases,
  });
  const [numbers] = await once(worker, 'message');
  for (const [i, each] of cases.entries()) assertNear(numbers[i], each.y);
  const model = await mf.loadModel(Buffer.from(cases[0].file, 'base64'));
  const y = await model.predict(dataOf(cases[0]), { workers: 2 });
  assertNear(y.array().flat(), cases[0].y);
});

test('workers of the package read no texts, and their errors name what does', async () => {
  const worker = await openWorker();
  await assert.rejects(
    worker.loadModel(Buffer.from(cases[0].file, 'base64')),
    /import 'maskflow\/text' before it is loaded.*; workers read no texts, so do so on the page, and call predict\(texts, \{ workers: 2 \}\)$/,
  );
  const numbers = new mf.Sequential([mf.Input({ shape: [1] }), mf.layers.dense({ units: 1 })]);
  const remote = await worker.loadModel(await numbers.save());
  const message =
    /^ValueError: an input is a text, which workers do not read; load the model with loadModel in this thread, and call predict\(texts, \{ workers: 2 \}\)$/;
  for (const texts of [['a b'], [['a b'], ['c']], { text: ['a b'] }])
    await assert.rejects(async () => remote.predict(texts), message);
  assert.deepEqual((await remote.predict([[1], [2]])).shape, [2, 1]);
  worker.close();
});

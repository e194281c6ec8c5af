// SPDX-License-Identifier: MIT
// Data for training: windows of time series (recorded from Keras), splits, files, and batches that
// arrive later.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { collectGarbage } from '../support/garbage.js';
import { compiledModel, line, warnings } from '../support/train.js';

before(() => mf.ready());

const range = (count, from = 0) => Array.from({ length: count }, (_, i) => from + i);

/** Rows as nested arrays: a number for each, or a list of features. */
const rowsOf = (rows, features) =>
  features === null
    ? Float32Array.from(range(rows))
    : range(rows).map((row) => range(features, row * features));

describe('timeseriesWindows', () => {
  const path = new URL('../fixtures/windows/windows.json', import.meta.url);
  const cases = JSON.parse(readFileSync(path, 'utf8'));

  test('has the windows and targets of Keras', () => {
    let compared = 0;
    for (const [i, { rows, features, targets, options, batches, error }] of cases.entries()) {
      const camel = Object.fromEntries(
        Object.entries(options).map(([key, value]) => [
          key.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()),
          value,
        ]),
      );
      const labels = targets === null ? null : Float32Array.from(range(targets, 1000));
      const make = () => mf.timeseriesWindows(rowsOf(rows, features), labels, camel);
      if (error === 'ValueError' || batches?.length === 0) {
        assert.throws(make, { name: /^(Value|Shape)Error$/ }, `case ${i}`);
        continue;
      }
      // Keras reads beyond targets that are fewer than its windows need.
      if (error) continue;
      const windows = make();
      const own = Array.from(windows, (batch) => batch.map((part) => part.array()));
      const expected = targets === null ? batches.map((batch) => [batch]) : batches;
      assert.deepEqual(own, expected, `case ${i}`);
      assert.equal(windows.length, batches.length);
      compared++;
    }
    assert.ok(compared > 80, `${compared} cases`);
  });

  test('shuffles all windows, differently in each epoch, equally with the same seed', () => {
    const options = { sequenceLength: 2, batchSize: 7, shuffle: true, seed: 3 };
    const x = Float32Array.from(range(30));
    const starts = (windows) =>
      Array.from(windows, ([batch]) => batch.array().map(([first]) => first)).flat();
    const windows = mf.timeseriesWindows(x, null, options);
    const [first, second] = [starts(windows), starts(windows)];
    const sorted = (list) => [...list].sort((a, b) => a - b);
    assert.deepEqual(sorted(first), range(29));
    assert.deepEqual(sorted(second), range(29));
    assert.notDeepEqual(first, second);
    assert.deepEqual(starts(mf.timeseriesWindows(x, null, options)), first);
  });

  test('trains a model, and frees its tensors', async () => {
    const model = new mf.Sequential([
      mf.Input({ shape: [4, 1] }),
      mf.layers.flatten(),
      mf.layers.dense({ units: 1 }),
    ]);
    model.compile({ optimizer: 'sgd', loss: 'mse' });
    const series = range(50).map((i) => [Math.sin(i / 5)]);
    const windows = mf.timeseriesWindows(series, series.slice(4), {
      sequenceLength: 4,
      batchSize: 8,
      shuffle: true,
    });
    await model.fit(windows, { epochs: 1 });
    const { tensors } = mf.memory();
    const { history } = await model.fit(windows, { epochs: 6 });
    assert.ok(history.loss.at(-1) < history.loss[0]);
    assert.ok(mf.memory().tensors <= tensors + 2, `${mf.memory().tensors}, ${tensors} before`);
    for (const [x] of windows) {
      assert.deepEqual(x.shape.slice(1), [4, 1]);
      break;
    }
    assert.ok(mf.memory().tensors <= tensors + 2);
  });

  test('refuses wrong options, each with its name', () => {
    const wrong = [
      [{}, /sequenceLength/],
      [{ sequenceLength: 0 }, /sequenceLength/],
      [{ sequenceLength: 2.5 }, /sequenceLength/],
      [{ sequenceLength: 2, samplingRate: 10 }, /samplingRate.*10 rows/],
      [{ sequenceLength: 2, sequenceStride: 0 }, /sequenceStride/],
      [{ sequenceLength: 2, startIndex: -1 }, /startIndex/],
      [{ sequenceLength: 2, startIndex: 10 }, /startIndex/],
      [{ sequenceLength: 2, startIndex: 5, endIndex: 5 }, /endIndex.*startIndex/],
      [{ sequenceLength: 11 }, /no window of 11/],
      [{ sequence_length: 2 }, /sequenceLength/],
      [{ sequenceLength: 2, shuffle: 1 }, /shuffle/],
      [{ sequenceLength: 2, seed: 'x' }, /seed/],
    ];
    for (const [options, message] of wrong) {
      assert.throws(
        () => mf.timeseriesWindows(Float32Array.from(range(10)), null, options),
        (error) => error instanceof mf.MaskflowError && message.test(error.message),
        JSON.stringify(options),
      );
    }
    assert.throws(() => mf.timeseriesWindows(mf.tensor(3), null, { sequenceLength: 1 }), {
      name: 'ShapeError',
    });
  });
});

describe('splitDataset', () => {
  const x = range(10).map((i) => [i, i + 1]);
  const y = Float32Array.from(range(10));

  test('cuts as Keras does: shares are rounded half to even', () => {
    const sizes = (options) =>
      mf.splitDataset([x, y], options).map(([part, labels]) => {
        assert.equal(part.length, labels.length);
        return part.length;
      });
    assert.deepEqual(sizes({ leftSize: 0.8 }), [8, 2]);
    assert.deepEqual(sizes({ leftSize: 0.25 }), [2, 8]);
    assert.deepEqual(sizes({ rightSize: 0.35 }), [6, 4]);
    assert.deepEqual(sizes({ leftSize: 3, rightSize: 4 }), [3, 4]);
    const [[left], [right]] = mf.splitDataset([x, y], { leftSize: 3, rightSize: 4 });
    assert.deepEqual(left, x.slice(0, 3));
    assert.deepEqual(right, x.slice(-4));
  });

  test('shuffles all arrays in the same way, and keeps their types', () => {
    const data = { x, y, t: mf.tensor(x) };
    const [left, right] = mf.splitDataset(data, { leftSize: 0.5, shuffle: true, seed: 1 });
    assert.ok(left.y instanceof Float32Array && left.t instanceof mf.Tensor);
    const rows = [...left.x, ...right.x];
    assert.notDeepEqual(rows, x);
    assert.deepEqual(
      [...rows].sort(([a], [b]) => a - b),
      x,
    );
    assert.deepEqual(
      rows.map(([row]) => row),
      [...left.y, ...right.y],
    );
    assert.deepEqual(left.t.array(), left.x);
    const [again] = mf.splitDataset(data, { leftSize: 0.5, shuffle: true, seed: 1 });
    assert.deepEqual(again.y, left.y);
  });

  test('refuses what leaves a part without rows', () => {
    const wrong = [{}, { leftSize: 0 }, { leftSize: 10 }, { leftSize: 0.01 }, { leftSize: 1.5 }];
    for (const options of [...wrong, { leftSize: 6, rightSize: 5 }, { leftSize: '3' }]) {
      assert.throws(() => mf.splitDataset([x, y], options), { name: 'ValueError' });
    }
    assert.throws(() => mf.splitDataset([x, y.subarray(1)], { leftSize: 1 }), {
      name: 'ShapeError',
      message: /10 and 9 rows/,
    });
    assert.throws(() => mf.splitDataset(mf.tensor(x), { leftSize: 1 }), /a list or dictionary/);
  });
});

describe('batches that arrive later', () => {
  const data = line(6);
  let model;
  before(() => {
    model = compiledModel();
  });
  const pairs = () => [0, 2, 4].map((i) => [data.x.slice(i, i + 2), data.y.slice(i, i + 2)]);
  async function* later(items) {
    for (const item of items) {
      await new Promise((done) => setTimeout(done, 1));
      yield item;
    }
  }

  test('evaluateBatches has the numbers of all rows', async () => {
    const expected = model.evaluate(data.x, data.y, { batchSize: 2 });
    const sources = [
      pairs(),
      later(pairs()),
      () => later(pairs()),
      ReadableStream.from ? ReadableStream.from(pairs()) : later(pairs()),
      new Set(pairs()),
    ];
    // An array is rows of one input, so a list of batches needs a function.
    sources[0] = () => pairs();
    for (const batches of sources)
      assert.deepEqual(await mf.evaluateBatches(model, batches), expected);
    const stream = new ReadableStream({
      start(control) {
        for (const pair of pairs()) control.enqueue(pair);
        control.close();
      },
    });
    // As in Safari, where streams are not iterable.
    stream[Symbol.asyncIterator] = undefined;
    assert.deepEqual(await mf.evaluateBatches(model, stream), expected);
    await assert.rejects(mf.evaluateBatches(model, later([[data.x]])), /targets/);
    await assert.rejects(mf.evaluateBatches(model, 7), { name: 'ValueError' });
    await assert.rejects(mf.evaluateBatches(model, pairs, { batchSize: 1 }), /batchSize/);
  });

  test('predictBatches has the outputs of each batch, and asks for one at a time', async () => {
    const asked = [];
    function* inputs() {
      for (const [x] of pairs()) {
        asked.push(x.length);
        yield x;
      }
    }
    const outputs = [];
    for await (const y of mf.predictBatches(model, inputs())) {
      outputs.push(...y.array());
      assert.equal(asked.length * 2, outputs.length);
    }
    assert.deepEqual(outputs, model.predict(data.x).array());
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) yield data.x;
      } finally {
        isClosed = true;
      }
    }
    await collectGarbage();
    const { tensors } = mf.memory();
    for await (const y of mf.predictBatches(model, endless())) {
      assert.ok(y.shape);
      break;
    }
    assert.ok(isClosed);
    assert.equal(mf.memory().tensors, tensors);
    await assert.rejects(mf.predictBatches(model, 7).next(), { name: 'ValueError' });
    await assert.rejects(mf.predictBatches(null, []).next(), { name: 'ValueError' });
  });

  test('an epoch without batches has the loss NaN and a warning', async () => {
    let history;
    const texts = await warnings(async () => {
      ({ history } = await compiledModel().fit(() => [], { epochs: 2 }));
    });
    assert.deepEqual(history.loss, [Number.NaN, Number.NaN]);
    assert.match(texts.join('\n'), /ended after 0/);
    await warnings(async () => {
      ({ history } = await compiledModel().fit(pairs().values(), { epochs: 2 }));
      assert.deepEqual(await mf.evaluateBatches(compiledModel(), later([])), { loss: Number.NaN });
    });
    assert.ok(history.loss[0] > 0);
    assert.ok(Number.isNaN(history.loss[1]));
  });
});

describe('compile', () => {
  test('refuses wrong names and settings of losses and metrics at once', () => {
    const model = compiledModel();
    const wrong = [
      [{ loss: 'mes' }, /mes/],
      [{ loss: ['mse', 'msx'] }, /msx/],
      [{ loss: { class_name: 'Huber', config: { dleta: 1 } } }, /dleta/],
      [{ loss: { class_name: 'Hubert' } }, /Hubert/],
      [{ loss: 'mse', metrics: ['acuracy'] }, /acuracy/],
      [{ loss: 'mse', metrics: [['mae', 'mea']] }, /mea/],
      [{ loss: 'mse', weightedMetrics: { a: 'AUCC' } }, /AUCC/],
    ];
    for (const [options, message] of wrong) {
      assert.throws(() => model.compile(options), { name: 'ConfigError', message });
    }
    model.compile({ loss: 'mse' });
    const { tensors } = mf.memory();
    for (const loss of ['mse', 'crossentropy', 'ce', 'sparse_categorical_crossentropy', 'ctc']) {
      model.compile({ loss, metrics: ['acc', 'accuracy', 'AUC', 'crossentropy'] });
    }
    assert.equal(mf.memory().tensors, tensors);
  });
});

describe('files of data', () => {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-data-'));
  after(() => rmSync(folder, { recursive: true }));
  const csv = (text, options) => mf.readCsv(new Blob([text]), options);

  test('readCsv: numbers, texts, empty cells, quotes, with and without names', async () => {
    const table = await csv('day,price,"vol,ume"\nMon,1.5,3\nTue,,4\n"W ""e""",inf,-5e3\n');
    assert.deepEqual(table.names, ['day', 'price', 'vol,ume']);
    assert.deepEqual(table.column('day'), ['Mon', 'Tue', 'W "e"']);
    assert.deepEqual([...table.column('price')], [1.5, Number.NaN, Number.POSITIVE_INFINITY]);
    assert.deepEqual(table.matrix(['vol,ume']).array(), [[3], [4], [-5000]]);
    assert.deepEqual(table.matrix().shape, [3, 2]);
    const bare = await csv('1;2\r\n3;4');
    assert.deepEqual(
      [bare.names, bare.matrix().array()],
      [
        ['0', '1'],
        [
          [1, 2],
          [3, 4],
        ],
      ],
    );
    const named = await csv('1\t2\n3\t4', { header: true });
    assert.deepEqual([named.names, named.rows], [['1', '2'], 1]);
    const path = join(folder, 'a.csv');
    writeFileSync(path, 'a,b\n1,2\n');
    assert.deepEqual((await mf.readCsv(path)).matrix().array(), [[1, 2]]);
  });

  test('readCsv refuses damaged tables and unknown columns', async () => {
    await assert.rejects(csv('a,b\n1,2\n1\n'), /row 3 of .* has 1 cells, but row 1 has 2/);
    await assert.rejects(csv('a,b\n"1\n1",2\n1\n'), /row 3 of .* has 1 cells/);
    await assert.rejects(csv(''), { name: 'FormatError', message: /no rows/ });
    await assert.rejects(csv('a,a\n1,2'), /two columns named 'a'/);
    await assert.rejects(csv('a\n1', { headers: true }), /did you mean 'header'/);
    const table = await csv('price,day\n1,Mon');
    assert.throws(() => table.column('prize'), /did you mean 'price'/);
    assert.throws(() => table.matrix(['day']), /'day' has texts, such as 'Mon'/);
  });

  test('readNpy reads shape and elements, and refuses other files', async () => {
    const header = "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 1), }";
    const head = `\x93NUMPY\x01\0${String.fromCharCode(118)}\0${header.padEnd(117)}\n`;
    const values = new Uint8Array(new BigInt64Array([-5n, 2n ** 40n]).buffer);
    const bytes = Uint8Array.from([...Buffer.from(head, 'latin1'), ...values]);
    const { shape, dtype, data } = await mf.readNpy(bytes);
    assert.deepEqual([shape, dtype, [...data]], [[2, 1], 'int64', [-5, 2 ** 40]]);
    await assert.rejects(mf.readNpy(bytes.subarray(0, 100)), { name: 'FormatError' });
    await assert.rejects(mf.readNpy(new Uint8Array(3)), { name: 'FormatError' });
  });
});

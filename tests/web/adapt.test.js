// SPDX-License-Identifier: MIT
// adapt() of Normalization and Discretization finds in data what Keras finds.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { IntegerLookup, StringLookup, TextVectorization } from '../../dist/text.js';
import { close, leavesNothing } from '../support/watch.js';

before(() => mf.ready({ seed: 3 }));

const { layers, tensor } = mf;
const data = [
  [
    [1, 10],
    [2, 20],
  ],
  [
    [3, 60],
    [6, 30],
  ],
];

test('Normalization finds mean and variance of each feature, over all other axes', () => {
  leavesNothing(() =>
    mf.tidy(() => {
      const layer = layers.normalization();
      layer.adapt(data);
      const [mean, variance, count] = layer.getWeights();
      close(mean.array(), [3, 30], 1e-6);
      close(variance.array(), [3.5, 350], 1e-6);
      assert.equal(count.item(), 0);
      close(layer.apply([[[3, 30]]]).array(), [[[0, 0]]]);
      close(layer.apply([[[3 + Math.sqrt(3.5), 30]]]).array(), [[[1, 0]]], 1e-6);
      // A second call accepts tensors and replaces the old numbers.
      layer.adapt(tensor([[[5, 5]], [[7, 9]]]));
      close(layer.getWeights()[0].array(), [6, 7], 1e-6);
      layer.dispose();
    }),
  );
});

test('Normalization accepts other axes, and axis: null for one mean', () => {
  mf.tidy(() => {
    const perStep = layers.normalization({ axis: 1 });
    perStep.adapt(data);
    close(perStep.getWeights()[0].array(), [18.5, 14.5], 1e-6);
    const perElement = layers.normalization({ axis: [1, 2] });
    perElement.adapt(data);
    close(perElement.getWeights()[1].array(), [1, 625, 4, 25].flat(), 1e-6);
    const overall = layers.normalization({ axis: null });
    overall.adapt(data);
    close(overall.getWeights()[0].item(), 16.5, 1e-6);
  });
});

test('a refused adapt() leaves the weights of Normalization unchanged', () => {
  const fixed = layers.normalization({ mean: 1, variance: 2 });
  assert.throws(() => fixed.adapt(data), mf.StateError);
  const layer = layers.normalization();
  layer.adapt(data);
  assert.throws(() => layer.adapt([[1, 2, 3]]), mf.ShapeError);
  assert.throws(() => layer.adapt(tensor([], { shape: [0, 2] })), /no numbers/);
  close(layer.getWeights()[0].array(), [3, 30], 1e-6);
});

test("Discretization gives the results of the example in Keras's documentation", () => {
  const x = [
    [-1.5, 1, 3.4, 0.5],
    [0, 3, 1.3, 0],
  ];
  leavesNothing(() =>
    mf.tidy(() => {
      const layer = layers.discretization({ numBins: 4, epsilon: 0.01 });
      assert.throws(() => layer.apply(x), mf.StateError);
      layer.adapt(x);
      close(layer.getConfig().bin_boundaries, [0, 0.5, 1.3], 1e-6);
      assert.deepEqual(layer.apply(x).array(), [
        [0, 2, 3, 2],
        [1, 3, 3, 1],
      ]);
      // As in Keras, the config then has both settings; a layer can be created from it.
      const copy = mf.deserializeLayer(mf.serializeLayer(layer));
      assert.deepEqual(copy.apply(x).array(), layer.apply(x).array());
      copy.dispose();
      layer.dispose();
    }),
  );
});

test('Discretization of many numbers finds bins of about equal counts', () => {
  // The numbers 0 to 9999 in a scrambled order.
  const numbers = Float32Array.from({ length: 10000 }, (_, i) => (i * 7919) % 10000);
  const layer = layers.discretization({ numBins: 5, outputMode: 'int' });
  layer.adapt(numbers);
  const { bin_boundaries: boundaries } = layer.getConfig();
  assert.equal(boundaries.length, 4);
  boundaries.forEach((boundary, i) => {
    assert.ok(Math.abs(boundary - 2000 * (i + 1)) <= 100, `boundary ${i} is ${boundary}`);
  });
});

test('Discretization: fromConfig accepts a config after adapt(), the constructor does not', () => {
  const layer = layers.discretization({ numBins: 3 });
  layer.adapt([1, 2, 3, 4, 5, 6]);
  const copy = mf.Discretization.fromConfig(layer.getConfig());
  assert.deepEqual(copy.getConfig().bin_boundaries, layer.getConfig().bin_boundaries);
  assert.deepEqual(copy.apply([1, 3.5, 6]).array(), layer.apply([1, 3.5, 6]).array());
  assert.throws(() => layers.discretization({ numBins: 3, binBoundaries: [1, 2] }), {
    name: 'ConfigError',
    message: /both binBoundaries and numBins/,
  });
});

test('Discretization refuses fixed boundaries and empty data', () => {
  const fixed = layers.discretization({ binBoundaries: [1, 2] });
  assert.throws(() => fixed.adapt([1, 2]), /binBoundaries.*numBins/);
  const layer = layers.discretization({ numBins: 3 });
  assert.throws(() => layer.adapt([]), /no numbers/);
});

// tests/fixtures/adapt/record.py recorded Keras.
const { cases } = JSON.parse(
  readFileSync(new URL('../fixtures/adapt/adapt.json', import.meta.url), 'utf8'),
);
const numbersOf = (count) => Array.from({ length: count }, (_, i) => ((i * 37) % 997) / 10);

/** Yields the items in batches of these sizes. */
function* batchesOf(items, sizes) {
  let start = 0;
  for (const size of sizes) {
    yield items.slice(start, start + size);
    start += size;
  }
}
async function* later(batches) {
  for (const batch of batches) {
    await null;
    yield batch;
  }
}

for (const { count, bins, epsilon, sizes, boundaries, rows, moments } of cases) {
  test(`adapt of ${count} numbers in batches of ${sizes} is that of Keras`, async () => {
    const x = numbersOf(count);
    const pairs = Array.from({ length: count / 2 }, (_, i) => x.slice(2 * i, 2 * i + 2));
    const sources = [
      (items, lengths) => batchesOf(items, lengths),
      (items, lengths) => later(batchesOf(items, lengths)),
      (items, lengths) => () => batchesOf(items, lengths),
    ];
    if (sizes.length === 1) sources.push((items) => items);
    for (const source of sources) {
      const binned = layers.discretization({ numBins: bins, epsilon });
      await binned.adapt(source(x, sizes));
      close(binned.getConfig().bin_boundaries, boundaries, 1e-4);
      const layer = layers.normalization();
      await layer.adapt(source(pairs, rows));
      const [mean, variance] = layer.getWeights();
      close(mean.array(), moments[0], 1e-4);
      close(variance.array(), moments[1], 1e-2);
    }
  });
}

test('adapt of texts and ids in batches is that of all rows', async () => {
  const texts = ['the cat', 'a cat sat', 'the mat', 'cat', 'sat on the mat'];
  const ids = [
    [4, 7],
    [7, 7],
    [9, 4],
    [1, 9],
    [7, 1],
  ];
  const makers = [
    [() => new TextVectorization(), texts],
    [() => new TextVectorization({ outputMode: 'tf_idf' }), texts],
    [() => new StringLookup(), texts.map((text) => text.split(' '))],
    [() => new StringLookup({ outputMode: 'tf_idf' }), texts.map((text) => text.split(' '))],
    [() => new IntegerLookup(), ids],
  ];
  for (const [make, rows] of makers) {
    const whole = make();
    assert.equal(whole.adapt(rows), undefined);
    for (const batches of [batchesOf(rows, [2, 3]), later(batchesOf(rows, [1, 4]))]) {
      const layer = make();
      await layer.adapt(batches);
      assert.deepEqual(layer.getVocabulary(), whole.getVocabulary());
      const first = rows.map((row) => [row].flat()[0]);
      assert.deepEqual(layer.apply(first).array(), whole.apply(first).array());
    }
  }
});

test('a refused adapt() of batches closes its source and changes nothing', async () => {
  const layer = layers.normalization();
  layer.adapt(data);
  const before = layer.getWeights().map((weight) => weight.array());
  let isClosed = false;
  async function* broken() {
    try {
      yield [[1, 2]];
      yield [[1, 2, 3]];
    } finally {
      isClosed = true;
    }
  }
  await assert.rejects(layer.adapt(broken()), mf.ShapeError);
  assert.ok(isClosed);
  await assert.rejects(layer.adapt([][Symbol.iterator]()), /no batches/);
  assert.deepEqual(
    layer.getWeights().map((weight) => weight.array()),
    before,
  );
  await assert.rejects(layers.discretization({ numBins: 3 }).adapt(later([[]])), /no numbers/);
  await assert.rejects(new StringLookup().adapt(later([[1]])), mf.ValueError);
});

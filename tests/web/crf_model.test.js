// SPDX-License-Identifier: MIT
// The layer CRF in models: training, files, masks that `predict` drops, and errors.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import {
  CRF,
  CRFDecoder,
  crfAccuracy,
  crfDecode,
  crfLogLikelihood,
  crfLoss,
  crfMarginals,
} from '../../dist/tags.js';
import * as mf from '../../dist/train.js';
import { openWorker } from '../../dist/worker.js';
import { runModule } from '../support/programs.js';

before(() => mf.ready({ seed: 3 }));

/** Sentences in which a tag depends on the tag before: word 3 repeats it, others name their own. */
const sentences = [
  [1, 3, 3, 2, 3],
  [2, 3, 1, 3],
  [1, 2, 3],
  [2, 3, 3, 3, 1],
  [1, 3],
  [2, 1, 3, 3],
];
const tagsOf = (words) => {
  const tags = [];
  for (const word of words) tags.push(word === 3 ? tags.at(-1) : word - 1);
  return tags;
};
const padded = (rows, padding) => mf.padSequences(rows, { maxlen: 7, padding });

function tagger() {
  return new mf.Sequential([
    mf.layers.embedding({ inputDim: 4, outputDim: 6, maskZero: true }),
    mf.layers.bidirectional(mf.layers.lstm({ units: 6, returnSequences: true })),
    mf.layers.dense({ units: 2 }),
    new CRF(),
  ]);
}
const compile = (model) =>
  model.compile({
    optimizer: mf.optimizers.adam({ learningRate: 0.1 }),
    loss: crfLoss,
    metrics: [crfAccuracy],
  });

for (const padding of ['pre', 'post']) {
  test(`a model with a CRF learns, with padding ${padding}`, async () => {
    const [x, y] = [padded(sentences, padding), padded(sentences.map(tagsOf), padding)];
    const model = tagger();
    compile(model);
    const { history } = await model.fit(x, y, { epochs: 25, verbose: 0 });
    assert.ok(history.loss.at(-1) < 0.1 * history.loss[0], `${history.loss}`);
    assert.equal(history.crfAccuracy.at(-1), 1);
    const { tags } = crfDecode(model.predict(x));
    assert.deepEqual(tags.array(), y.array());
    sentences.forEach((words) => {
      assert.deepEqual(crfDecode(model.predict([words])).tags.array(), [tagsOf(words)]);
    });
  });
}

test('results of predict say which steps are masked, and steps in holes count as removed', () => {
  const layer = new CRF();
  const masking = mf.layers.masking();
  const model = new mf.Sequential([mf.Input({ shape: [null, 2] }), masking, layer]);
  layer.setWeights([
    [
      [1, -2],
      [0.5, 3],
    ],
    [2, -1],
    [-3, 1],
  ]);
  const steps = [
    [1, 2],
    [-1, 1],
    [3, -1],
  ];
  const none = [0, 0];
  const alone = model.predict([steps]);
  const holes = model.predict([[none, steps[0], none, none, steps[1], steps[2], none]]);
  assert.equal(holes.mask, null);
  const kept = [1, 4, 5];
  const [one, other] = [crfDecode(alone), crfDecode(holes)];
  assert.deepEqual(
    kept.map((step) => other.tags.array()[0][step]),
    one.tags.array()[0],
  );
  assert.deepEqual(other.tags.mask.array()[0].map(Boolean), [
    false,
    true,
    false,
    false,
    true,
    true,
    false,
  ]);
  assert.equal(other.score.item(), one.score.item());
  const gold = [[0, 1, 0, 0, 1, 0, 0]];
  assert.equal(crfLoss(gold, holes).item(), crfLoss([[1, 1, 0]], alone).item());
  const marginals = crfMarginals(holes).array()[0];
  assert.deepEqual(
    kept.map((step) => marginals[step]),
    crfMarginals(alone).array()[0],
  );
});

test('a file continues training with its loss and metric, and its decoder predicts tags', async () => {
  const [x, y] = [padded(sentences, 'post'), padded(sentences.map(tagsOf), 'post')];
  const model = tagger();
  compile(model);
  await model.fit(x, y, { epochs: 3, verbose: 0 });
  const copy = await mf.loadModel(await model.save());
  assert.deepEqual(await copy.evaluate(x, y), await model.evaluate(x, y));
  const options = { epochs: 2, verbose: 0, shuffle: false };
  const [ours, theirs] = [await model.fit(x, y, options), await copy.fit(x, y, options)];
  assert.deepEqual(ours.history, theirs.history);
  const decoder = new mf.Sequential([...copy.layers, new CRFDecoder()]);
  const direct = decoder.predict(x).array();
  const again = await mf.loadModel(await decoder.save());
  const tags = again.predict(x);
  assert.deepEqual(tags.array(), direct);
  assert.equal(tags.dtype, 'int32');
  assert.deepEqual(tags.array(), crfDecode(model.predict(x)).tags.array());
});

test('a custom loss that is registered is saved and loaded', async () => {
  const halfSquare = (t, p) => mf.ops.multiply(mf.ops.square(mf.ops.subtract(t, p)), 0.5);
  const model = new mf.Sequential([mf.layers.dense({ units: 1, kernelInitializer: 'ones' })]);
  model.compile({ optimizer: 'sgd', loss: halfSquare, metrics: [halfSquare] });
  await model.fit([[1, 2]], [[0]], { verbose: 0 });
  mf.registerFunction(halfSquare, { package: 'mine', name: 'half_square' });
  const bytes = await model.save();
  const copy = await mf.loadModel(bytes);
  assert.deepEqual(await copy.evaluate([[1, 2]], [[0]]), await model.evaluate([[1, 2]], [[0]]));
});

test('a Sequential without an Input that was only fitted can be loaded', async () => {
  const model = new mf.Sequential([mf.layers.dense({ units: 1 })]);
  model.compile({ optimizer: 'sgd', loss: 'mse' });
  await model.fit([[1, 2]], [[0]], { verbose: 0 });
  const copy = await mf.loadModel(await model.save());
  assert.deepEqual(copy.predict([[3, 4]]).array(), model.predict([[3, 4]]).array());
});

test('settings are kept in configs, and boundaries are optional', () => {
  const layer = new CRF({ useBoundary: false, transitionsInitializer: 'ones', name: 'pairs' });
  const copy = mf.deserializeLayer(mf.serializeLayer(layer));
  assert.ok(copy instanceof CRF);
  assert.deepEqual(copy.getConfig(), layer.getConfig());
  const scores = copy.apply([
    [
      [1, 2],
      [3, 5],
    ],
  ]);
  assert.deepEqual(
    copy.weights.map(({ name }) => name),
    ['transitions'],
  );
  const ones = [
    [1, 1],
    [1, 1],
  ];
  const expected = crfLogLikelihood(
    [
      [
        [1, 2],
        [3, 5],
      ],
    ],
    [[1, 0]],
    ones,
  ).item();
  assert.equal(crfLoss([[1, 0]], scores).item(), -expected);
});

test('the loss weighs sequences, leaves out those without a step, and accepts one-hot tags', () => {
  const layer = new CRF();
  const x = mf.tensor([
    [
      [1, 2],
      [3, 5],
    ],
    [
      [0, 1],
      [1, 0],
    ],
    [
      [9, 9],
      [9, 9],
    ],
  ]);
  const scores = layer.apply(
    x.withMask([
      [true, true],
      [false, true],
      [false, false],
    ]),
  );
  const gold = [
    [1, 0],
    [0, 1],
    [7, 7],
  ];
  const [first, second, third] = crfLoss(gold, scores, { reduction: 'none' }).array();
  const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);
  assert.equal(third, -0);
  near(crfLoss(gold, scores).item(), (first + second) / 2);
  near(crfLoss(gold, scores, { reduction: 'sum' }).item(), first + second);
  near(crfLoss(gold, scores, { sampleWeight: [2, 4, 8] }).item(), (2 * first + 4 * second) / 2);
  const hot = [
    [
      [0, 1],
      [1, 0],
    ],
    [
      [1, 0],
      [0, 1],
    ],
    [
      [1, 0],
      [1, 0],
    ],
  ];
  near(crfLoss(hot, scores).item(), (first + second) / 2);
  near(
    crfLoss(
      gold.map((row) => row.map((tag) => [tag])),
      scores,
    ).item(),
    (first + second) / 2,
  );
});

test('forbidden transitions and extreme scores stay finite', () => {
  const transitions = [
    [0, -Infinity],
    [-1e30, 0],
  ];
  const potentials = mf.tensor([
    [
      [1e4, -1e4],
      [-1e4, 1e4],
      [0, 1],
    ],
  ]);
  const { value, gradients } = mf.valueAndGradients(
    () => mf.ops.sum(crfLogLikelihood(potentials, [[0, 0, 0]], transitions)),
    [potentials],
  );
  assert.ok(Number.isFinite(value.item()));
  assert.ok(gradients[0].data().every(Number.isFinite));
  assert.deepEqual(new Set(crfDecode(potentials, transitions).tags.array()[0]).size, 1);
});

test('no call keeps a tensor beyond its result', () => {
  const layer = new CRF();
  const x = mf.tensor([
    [
      [1, 2],
      [3, 5],
    ],
  ]);
  layer.apply(x).dispose();
  const before = mf.memory().tensors;
  const scores = layer.apply(x);
  crfLoss([[1, 0]], scores).dispose();
  crfAccuracy([[1, 0]], scores).dispose();
  crfMarginals(scores).dispose();
  const { tags, score } = crfDecode(scores);
  for (const each of [tags, score, scores]) each.dispose();
  assert.equal(mf.memory().tensors, before);
});

test('errors name the function and both numbers', () => {
  const layer = new CRF();
  const scores = layer.apply([
    [
      [1, 2],
      [3, 5],
    ],
  ]);
  const fails = (run, name, message) => assert.throws(run, { name, message });
  fails(
    () => crfLoss([[1, 2]], scores),
    'ValueError',
    /tag 2 of sequence 0, step 1, .* from 0 to 1; mask steps/,
  );
  fails(() => crfLoss([[1, 0, 0]], scores), 'ShapeError', /\[1,3\] but must be \[1, 2\]/);
  fails(
    () => crfLoss([[1, 0]], scores, { sampleWeight: [1, 2] }),
    'ShapeError',
    /\[2\] but must be \[1\]/,
  );
  fails(
    () => crfDecode([[[1, 2]]]),
    'ShapeError',
    /pass the transitions, too: crfDecode\(potentials, transitions\)/,
  );
  fails(
    () => crfDecode([[[1, 2]]], [[1]]),
    'ShapeError',
    /transitions has shape \[1,1\] but must be \[2,2\]/,
  );
  fails(
    () => new CRF().apply([[1, 2]]),
    'ShapeError',
    /\[1,2\] but must be \[batch, steps, tags\]/,
  );
  fails(() => new CRFDecoder().apply([[[1, 2]]]), 'ShapeError', /as the layer CRF returns it/);
  fails(
    () => new CRF({ useBoundary: 1 }),
    'ConfigError',
    /useBoundary is 1 but must be true or false/,
  );
});

test('a custom worker that imports maskflow/tags predicts and trains', async () => {
  const script = new URL('../support/own_training_worker.js', import.meta.url);
  const worker = await openWorker({ worker: () => new Worker(script) });
  try {
    const [x, y] = [
      padded(sentences, 'post').array(),
      padded(sentences.map(tagsOf), 'post').array(),
    ];
    const model = tagger();
    compile(model);
    model.predict(x);
    const remote = await worker.loadModel(await model.save());
    const scores = mf.tensor((await remote.predict(x)).array());
    assert.deepEqual(crfDecode(scores).tags.array(), crfDecode(model.predict(x)).tags.array());
    const options = { epochs: 2, seed: 3 };
    const [there, here] = [
      await remote.fit(x, y, options),
      await model.fit(x, y, { ...options, verbose: 0 }),
    ];
    assert.deepEqual(there.history, here.history);
  } finally {
    worker.close();
  }
});

test('without maskflow/tags, the error names it and all layers of unknown classes', async () => {
  const entries = (name) => new URL(`../../dist/${name}.js`, import.meta.url).href;
  const input = mf.Input({ shape: [3, 2] });
  class Own extends mf.Layer {
    call(x) {
      return x;
    }
  }
  mf.registerLayer(Own, { package: 'Mine', name: 'Own' });
  const crf = new CRF({ name: 'tags' }).apply(new Own({ name: 'own' }).apply(input));
  const path = join(mkdtempSync(join(tmpdir(), 'maskflow-tags-')), 'model.keras');
  await new mf.Model({ inputs: input, outputs: crf }).save(path);
  const load = (start) => `
    import { Layer, loadModel, ready, registerLayer } from '${entries('train')}';
    ${start}
    await ready();
    const model = await loadModel(${JSON.stringify(path)}).catch((error) => error);
    console.log(model.message ?? 'loaded');`;
  const message = runModule(load(''));
  assert.match(message, /unknown layer classes: Mine>Own \(own\)\. Write each as a class/);
  const [, names, remedy] = /the layers (.*) are in 'maskflow\/tags'; add (import '[^']+')/.exec(
    message,
  );
  assert.equal(names, 'maskflow>CRF (tags)');
  const start = `${remedy.replace('maskflow/tags', entries('tags'))};
    class Own extends Layer { call(x) { return x; } }
    registerLayer(Own, { package: 'Mine', name: 'Own' });`;
  assert.equal(runModule(load(start)).trim(), 'loaded');
  rmSync(dirname(path), { recursive: true });
});

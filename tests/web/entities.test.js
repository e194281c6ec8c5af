// SPDX-License-Identifier: MIT
// Entities in tags and their scores: recorded by rules in Python, and the examples of seqeval.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { CRF, crfLoss, EntityF1, entityScores, entitySpans } from '../../dist/tags.js';
import * as mf from '../../dist/train.js';

before(() => mf.ready({ seed: 3 }));

const cases = JSON.parse(
  readFileSync(new URL('../fixtures/tags/entities.json', import.meta.url), 'utf8'),
);
const split = (tags) => (tags ? tags.split(' ') : []);

test('entities equal those that were recorded, in every scheme', () => {
  assert.ok(cases.length >= 160);
  for (const { scheme, tags, entities } of cases) {
    const [spans] = entitySpans([split(tags)], { scheme });
    const found = (spans ?? []).map(({ type, start, end }) => [type, start, end]);
    assert.deepEqual(found, entities, `${scheme}: ${tags}`);
  }
});

test('scores are those in the documentation of seqeval', () => {
  const sentence = (text) => split(text);
  const truth = [sentence('O O O B-MISC I-MISC I-MISC O'), sentence('B-PER I-PER O')];
  const found = [sentence('O O B-MISC I-MISC I-MISC I-MISC O'), sentence('B-PER I-PER O')];
  const { f1, types, macro, support } = entityScores(truth, found);
  assert.equal(f1, 0.5);
  assert.equal(support, 2);
  assert.equal(macro.f1, 0.5);
  assert.deepEqual(types, {
    MISC: { precision: 0, recall: 0, f1: 0, support: 1 },
    PER: { precision: 1, recall: 1, f1: 1, support: 1 },
  });
  const [np, inside] = [[sentence('B-NP I-NP O')], [sentence('I-NP I-NP O')]];
  assert.equal(entityScores(np, inside).f1, 1);
  assert.equal(entityScores(np, inside, { scheme: 'bio' }).f1, 0);
});

const names = ['O', 'B-X', 'I-X'];
const truth = [
  [1, 2, 0, 1],
  [0, 1, 2, 2],
];
const guess = [
  [1, 2, 1, 1],
  [0, 1, 2, 0],
];

test('ids, one-hot rows, probabilities and texts have the same scores', () => {
  const texts = (rows) => rows.map((row) => row.map((id) => names[id]));
  const expected = entityScores(texts(truth), texts(guess));
  assert.deepEqual(expected.types.X, {
    precision: 0.5,
    recall: 2 / 3,
    f1: expected.f1,
    support: 3,
  });
  assert.ok(Math.abs(expected.f1 - 4 / 7) < 1e-12);
  const hot = (rows) => mf.ops.oneHot(mf.tensor(rows, { dtype: 'int32' }), 3);
  const forms = [guess, mf.tensor(guess), hot(guess), guess.map((row) => row.map((id) => [id]))];
  for (const form of forms) assert.deepEqual(entityScores(truth, form, { names }), expected);
  assert.deepEqual(entityScores(hot(truth), texts(guess), { names }), expected);
});

test('masked steps count as removed: padding on either side, and holes', () => {
  const mask = [[false, true, false, true, true, false]];
  const options = { names, mask };
  const [spans] = entitySpans([[9, 1, 7, 2, 0, 9]], options);
  assert.deepEqual(spans, [{ type: 'X', start: 1, end: 4 }]);
  assert.equal(entityScores([[9, 1, 7, 2, 0, 9]], [[0, 1, 0, 2, 0, 1]], options).f1, 1);
  const attached = mf.tensor([[0, 1, 0, 2, 0, 1]]).withMask(mask);
  assert.equal(entityScores([[9, 1, 7, 2, 0, 9]], attached, { names }).f1, 1);
  const bytes = mf.tensor(mask, { dtype: 'bool' });
  assert.deepEqual(entitySpans([[9, 1, 7, 2, 0, 9]], { names, mask: bytes }), [spans]);
  const texts = [['?', 'B-X', '?', 'I-X', 'O', '?']];
  assert.deepEqual(entitySpans(texts, { mask }), [spans]);
});

test('the metric counts entities over all batches, under the mask of a CRF', async () => {
  const x = mf.padSequences(
    [
      [1, 2, 3],
      [3, 1],
      [1, 2, 2, 3],
      [3, 3],
    ],
    { maxlen: 5 },
  );
  const y = mf.padSequences(
    [
      [1, 2, 0],
      [0, 1],
      [1, 2, 2, 0],
      [0, 0],
    ],
    { maxlen: 5 },
  );
  const model = new mf.Sequential([
    mf.layers.embedding({ inputDim: 4, outputDim: 4, maskZero: true }),
    mf.layers.dense({ units: 3 }),
    new CRF(),
  ]);
  const metric = new EntityF1({ names, scheme: 'bio' });
  model.compile({
    optimizer: mf.optimizers.adam({ learningRate: 0.2 }),
    loss: crfLoss,
    metrics: [metric],
  });
  const { history } = await model.fit(x, y, { epochs: 20, batchSize: 3, verbose: 0 });
  assert.equal(history.entity_f1.at(-1), 1);
  assert.ok(history.entity_f1[0] < 1);
  model.layers[1].setWeights([mf.ops.zeros([4, 3]), [0, 1, 0]]);
  const { entity_f1: f1 } = await model.evaluate(x, y, { batchSize: 2 });
  const expected = entityScores(y, model.predict(x), { names, scheme: 'bio' });
  assert.equal(f1, expected.f1);
  assert.deepEqual(metric.scores, expected);
  assert.ok(f1 > 0 && f1 < 1);
});

test('errors name what is wrong, and no call keeps a tensor', () => {
  const fails = (run, name, message) => assert.throws(run, { name, message });
  const before = mf.memory().tensors;
  fails(() => entitySpans([['PER']]), 'ValueError', /'PER' does not begin with a prefix .*'B-PER'/);
  fails(() => entitySpans([['E-X']], { scheme: 'bio' }), 'ValueError', /'bio': B, I, O/);
  fails(() => entitySpans([[0, 1]]), 'ConfigError', /need names/);
  fails(
    () => entitySpans([[0, 3]], { names }),
    'ValueError',
    /id 3 of sentence 0, step 1, has no name; there are 3 names/,
  );
  fails(
    () => entitySpans([['O']], { scheme: 'iob' }),
    'ConfigError',
    /'iob' but must be one of lenient, bio/,
  );
  fails(
    () => entityScores([['O', 'O']], [['O']]),
    'ShapeError',
    /have 2 steps, but those of yPred 1/,
  );
  fails(
    () => entityScores([['O']], [['O'], ['O']]),
    'ShapeError',
    /have 1 steps, but those of yPred 1,1/,
  );
  fails(() => entitySpans([[[[0]]]], { names }), 'ShapeError', /\[1,1,1,1\] but must be/);
  entityScores([[0, 1]], mf.tensor([[0, 1]]), { names });
  assert.ok(mf.memory().tensors <= before + 1);
});

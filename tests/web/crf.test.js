// SPDX-License-Identifier: MIT
// The CRF of maskflow/tags beside all paths counted one by one, with masks of every shape.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { crfDecode, crfLogLikelihood, crfMarginals } from '../../dist/tags.js';
import * as mf from '../../dist/train.js';
import { generator as random } from '../support/random.js';

before(() => mf.ready());

/** All sequences of `length` tags. */
const pathsOf = (length, tags) =>
  length === 0
    ? [[]]
    : pathsOf(length - 1, tags).flatMap((path) =>
        Array.from({ length: tags }, (_, tag) => [...path, tag]),
      );

/** Score of a path over steps from which the masked ones are removed. */
function scoreOf(path, rows, { transitions, start, end }) {
  if (path.length === 0) return 0;
  const own = path.reduce((sum, tag, step) => sum + rows[step][tag], 0);
  const pairs = path.slice(1).reduce((sum, tag, step) => sum + transitions[path[step]][tag], 0);
  return own + pairs + start[path[0]] + end[path.at(-1)];
}

/** Counts all paths of one sequence. */
function counted(rows, gold, weights, tags) {
  const paths = pathsOf(rows.length, tags);
  const scores = paths.map((path) => scoreOf(path, rows, weights));
  const total = Math.log(scores.reduce((sum, score) => sum + Math.exp(score), 0));
  const best = scores.indexOf(Math.max(...scores));
  const marginals = rows.map((_, step) =>
    Array.from({ length: tags }, (_, tag) =>
      scores.reduce(
        (sum, score, i) => sum + (paths[i][step] === tag ? Math.exp(score - total) : 0),
        0,
      ),
    ),
  );
  const likelihood = scoreOf(gold, rows, weights) - total;
  return { likelihood, tags: paths[best], score: scores[best], marginals };
}

const close = (actual, expected, message, most = 1e-5) =>
  assert.ok(
    Math.abs(actual - expected) <= most * (1 + Math.abs(expected)),
    `${message}: ${actual} is not ${expected}`,
  );

/** A random case: one sequence for each mask of `steps` steps. */
function caseOf(seed, steps, tags) {
  const next = random(seed);
  const number = () => next() * 4 - 2;
  const list = (length, f) => Array.from({ length }, (_, i) => f(i));
  const masks = list(2 ** steps, (bits) => list(steps, (step) => Boolean((bits >> step) & 1)));
  return {
    masks,
    potentials: masks.map(() => list(steps, () => list(tags, number))),
    gold: masks.map(() => list(steps, () => Math.floor(next() * tags))),
    weights: {
      transitions: list(tags, () => list(tags, number)),
      start: list(tags, number),
      end: list(tags, number),
    },
  };
}

const cases = [
  [1, 1, 1],
  [2, 1, 3],
  [3, 2, 2],
  [4, 3, 4],
  [5, 4, 3],
  [6, 5, 2],
  [7, 6, 3],
  [8, 5, 4],
];

for (const [seed, steps, tags] of cases) {
  test(`${steps} steps and ${tags} tags equal all paths counted, under every mask`, () => {
    const { masks, potentials, gold, weights } = caseOf(seed, steps, tags);
    const { transitions, ...ends } = weights;
    const options = { mask: mf.tensor(masks, { dtype: 'bool' }), ...ends };
    const likelihoods = crfLogLikelihood(potentials, gold, transitions, options).array();
    const decoded = crfDecode(potentials, transitions, options);
    const marginals = crfMarginals(potentials, transitions, options).array();
    const [found, scores] = [decoded.tags.array(), decoded.score.array()];
    masks.forEach((mask, row) => {
      const kept = mask.flatMap((keep, step) => (keep ? [step] : []));
      const expected = counted(
        kept.map((step) => potentials[row][step]),
        kept.map((step) => gold[row][step]),
        weights,
        tags,
      );
      const name = `mask ${mask.map(Number).join('')}`;
      close(likelihoods[row], kept.length === 0 ? 0 : expected.likelihood, name);
      close(scores[row], kept.length === 0 ? 0 : expected.score, name);
      assert.deepEqual(
        kept.map((step) => found[row][step]),
        expected.tags,
        name,
      );
      mask.forEach((keep, step) => {
        if (!keep) assert.equal(found[row][step], 0);
        const probabilities = keep ? expected.marginals[kept.indexOf(step)] : Array(tags).fill(0);
        for (const [tag, each] of probabilities.entries()) {
          close(marginals[row][step][tag], each, name);
        }
      });
    });
    assert.deepEqual(
      decoded.tags.mask.array().map((row) => row.map(Boolean)),
      masks,
    );
  });
}

test('gradients equal differences of the counted likelihood, and are 0 at masked steps', () => {
  const { masks, potentials, gold, weights } = caseOf(11, 3, 3);
  const { transitions, start, end } = weights;
  const inputs = { potentials, transitions, start, end };
  const total = ({ potentials: p, ...rest }) =>
    masks.reduce((sum, mask, row) => {
      const kept = mask.flatMap((keep, step) => (keep ? [step] : []));
      if (kept.length === 0) return sum;
      const rows = kept.map((step) => p[row][step]);
      return (
        sum +
        counted(
          rows,
          kept.map((step) => gold[row][step]),
          rest,
          3,
        ).likelihood
      );
    }, 0);
  const tensors = Object.fromEntries(Object.entries(inputs).map(([k, v]) => [k, mf.tensor(v)]));
  const mask = mf.tensor(masks, { dtype: 'bool' });
  const { value, gradients } = mf.valueAndGradients(
    () =>
      mf.ops.sum(
        crfLogLikelihood(tensors.potentials, gold, tensors.transitions, {
          mask,
          start: tensors.start,
          end: tensors.end,
        }),
      ),
    Object.values(tensors),
  );
  close(value.item(), total(inputs), 'value');
  for (const [i, [name, values]] of Object.entries(inputs).entries()) {
    const flat = values.flat(2);
    const { data } = { data: gradients[i].data() };
    assert.equal(data.length, flat.length);
    const visit = (list, index) =>
      Array.isArray(list[0])
        ? list.map((item) => visit(item, index))
        : list.map((item) => item + (index.at++ === index.of ? index.by : 0));
    for (let of = 0; of < flat.length; of++) {
      const shifted = (by) => total({ ...inputs, [name]: visit(values, { at: 0, of, by }) });
      close(data[of], (shifted(1e-5) - shifted(-1e-5)) / 2e-5, `${name} ${of}`, 1e-4);
    }
  }
});

// SPDX-License-Identifier: MIT
// The examples of Keras's guide that `npm start` shows, and three common questions, have these
// masks and numbers.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { guide } from '../support/guide.js';
import { questions } from '../support/mask_questions.js';

before(() => mf.ready({ seed: 1, maskPropagation: 'keras-3.15', onMaskDropped: 'warn' }));

const run = (id) => [...guide, ...questions].find((example) => example.id === id).run();
const rows = (text) => text.split(' ').map((row) => [...row].map((c) => c === 'T'));

test('G1: pad_sequences', () => {
  const { post, pre, cut } = run('G1');
  assert.deepEqual(post.array(), [
    [711, 632, 71, 0, 0, 0],
    [73, 8, 3215, 55, 927, 0],
    [83, 91, 1, 645, 1253, 927],
  ]);
  assert.deepEqual(pre.array()[0], [0, 0, 0, 711, 632, 71]);
  assert.deepEqual(cut.array()[2], [83, 91, 1, 645]);
});

test('G2: Embedding and Masking create the same mask', () => {
  const { embedding, masking } = run('G2');
  assert.deepEqual(embedding.array(), rows('TTTFFF TTTTTF TTTTTT'));
  assert.deepEqual(masking.array(), rows('TTTFFF TTTTTF TTTTTT'));
});

test('G3: Sequential and functional models, and more padding, have equal results', () => {
  assert.deepEqual(run('G3'), { output: [3, 32], functionalDiffers: 0, morePaddingDiffers: 0 });
});

test('G4: an explicit mask equals the attached one', () => {
  assert.deepEqual(run('G4'), { output: [32, 32], attachedDiffers: 0 });
});

test('G5: TemporalSplit', () => {
  const { first, second, unmasked } = run('G5');
  assert.deepEqual(first.array(), rows('TTT TTT TTT'));
  assert.deepEqual(second.array(), rows('FFF TTF TTT'));
  assert.deepEqual(unmasked, [null, null]);
});

test('G6: CustomEmbedding', () => {
  const { ids, output, mask } = run('G6');
  assert.deepEqual(output, [3, 10, 32]);
  assert.deepEqual(
    mask.array(),
    ids.array().map((row) => row.map((id) => id !== 0)),
  );
});

test('G7: supportsMasking keeps the mask; without it a warning names the layer', () => {
  const { kept, dropped, warnings, symbolicMask, output } = run('G7');
  assert.deepEqual(kept.array(), rows('TTTFFF TTTTTF TTTTTT'));
  assert.equal(dropped, null);
  assert.match(warnings[0], /silent_activation.*does not support masking/);
  assert.equal(symbolicMask, true);
  assert.deepEqual(output, [3, 32]);
});

test('G8: TemporalSoftmax is exactly 0 on masked steps and sums to 1', () => {
  const { output, maskedSteps, largestMasked, sumsDiffer } = run('G8');
  assert.deepEqual(output, [32, 100, 1]);
  assert.ok(maskedSteps > 100);
  assert.equal(largestMasked, 0);
  assert.ok(sumsDiffer < 1e-6);
});

test('G9: registered classes survive serialization', () => {
  const { layers, differs } = run('G9');
  assert.deepEqual(layers, ['InputLayer', 'Embedding', 'MyActivation', 'Dense', 'TemporalSoftmax']);
  assert.equal(differs, 0);
});

test('G10: the trace says where the mask was lost', () => {
  const { roles, lost } = run('G10');
  assert.deepEqual(roles, ['Embedding makes', 'LSTM uses and passes', 'Add drops', 'LSTM none']);
  assert.equal(lost.length, 1);
  assert.match(lost[0].reason, /plain operation/);
  assert.match(lost[0].remedy, /withMask/);
});

test('A: Masking returns output and mask together', () => {
  const result = run('A');
  assert.deepEqual(result.allKept.array(), rows('TTT TTT'));
  assert.deepEqual(result.oneMasked.array(), rows('TFT'));
  assert.deepEqual(result.maskAlone.array(), rows('TFT'));
  assert.deepEqual(result.output.array(), [
    [
      [1, 2, 0],
      [0, 0, 0],
      [5, 6, 7],
    ],
  ]);
  assert.deepEqual(result.minusOne.output.array(), [
    [
      [0, 0],
      [-1, 0],
      [0, 0],
    ],
  ]);
  assert.deepEqual(result.minusOne.mask.array(), rows('FTT'));
  assert.deepEqual(result.half.array(), rows('FTT'));
  assert.deepEqual(result.notANumber.array(), rows('TT'));
  assert.equal(result.integers.output.dtype, 'int32');
  assert.deepEqual(result.integers.mask.array(), rows('FT'));
});

test('B: ops drop the mask; attached again, only the product gives equal results', () => {
  const { masks, differences } = run('B');
  assert.deepEqual(masks, [null, null, null]);
  for (const [name, { plusOne, timesMask, zeros }] of Object.entries(differences)) {
    for (const { lost } of [plusOne, timesMask, zeros]) assert.ok(lost > 1e-4, name);
    assert.equal(timesMask.putBack, 0, name);
    assert.ok(plusOne.putBack > 1e-4 && zeros.putBack > 1e-4, name);
  }
});

test('C: masks never change shapes, explicit ones win, masked steps repeat or are zero', () => {
  const { C1, repeats, zeros, C2, C3 } = run('C');
  assert.deepEqual(C1.shape, [4, 10, 10]);
  assert.ok(C1.differs > 1e-4);
  assert.deepEqual(C1.overriddenMask.array()[0], rows('TTFFFFFFFF')[0]);
  assert.ok(repeats && zeros);
  assert.deepEqual(C2, { inner: [4, 10, 3], mask: [4, 10], outer: [4, 10, 10] });
  assert.deepEqual(C3, { attachedDiffers: 0, explicitDiffers: 0 });
});

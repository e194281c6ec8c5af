// SPDX-License-Identifier: MIT
// What Keras's own tests make and call of the layers, recorded by tests/fuzz/keras_tests.py, and random layers, recorded by
// tests/fuzz/keras_layers.py.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../../dist/index.js';
import { readFixture } from '../support/golden.js';
import { checkRecorded } from '../support/replay.js';

// Tests of Keras that ask for what is not here, and why.
const explained = [
  ['test_serialize_dtype', 'int8 policies have other weights: quantize() is the way here'],
  ['EmbeddingTest.test_invalid_', 'JavaScript has no 4.0 beside 4'],
  ['test_multi_head_attention_output_shape_error', 'JavaScript has no 8.0 beside 8'],
  ['EmbeddingTest.test_weights_constructor_arg', 'setWeights() is the way here'],
  ['test_masking_not_causal', 'the option is a boolean, and 0 is none'],
  ['test_groupnorm', 'PyTorch is off by 2e-5 in its own groups'],
];

await mf.ready({ maskPropagation: 'keras-3.15', onMaskDropped: 'warn' });

function differing(path) {
  const { cases } = readFixture(path);
  assert.ok(cases.length > 1000, 'the fixture holds cases');
  return cases
    .filter(({ name }) => !explained.some(([part]) => name.includes(part)))
    .map((recorded) => {
      const problem = checkRecorded(recorded);
      return problem && `${recorded.name} ${recorded.layer.class_name}: ${problem}`;
    })
    .filter(Boolean);
}

test("the calls of Keras's own tests give what they give there", () => {
  assert.deepEqual(differing('keras_tests/calls.json'), []);
});

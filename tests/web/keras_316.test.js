// SPDX-License-Identifier: MIT
// Losses and metrics where Keras 3.16 differs from 3.15, under both rules;
// tests/fixtures/keras_316/record.py recorded them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as mf from '../../dist/index.js';

const path = new URL('../fixtures/keras_316/cases.json', import.meta.url);
const recorded = JSON.parse(readFileSync(path, 'utf8'));
const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
const functionNames = { R2Score: 'r2Score', FBetaScore: 'fBetaScore' };

function resultOf({ kind, name, settings, y_true: yTrue, y_pred: yPred, sample_weight: weight }) {
  const own = functionNames[name] ?? name[0].toLowerCase() + name.slice(1);
  const options = Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [camel(key), value]),
  );
  if (kind === 'losses') return mf.losses[own](yTrue, yPred, options).item();
  const metric = mf.metrics[own](options);
  metric.updateState(yTrue, yPred, weight ? { sampleWeight: weight } : {});
  return metric.result();
}

for (const [rule, { cases }] of Object.entries(recorded)) {
  test(`losses and metrics equal Keras under ${rule}`, async () => {
    await mf.ready({ maskPropagation: rule });
    for (const [i, each] of cases.entries()) {
      const what = `case ${i}, ${each.name}`;
      if (each.result === null) {
        assert.throws(() => resultOf(each), mf.MaskflowError, what);
        continue;
      }
      const [actual, expected] = [resultOf(each), each.result].map((value) => [value].flat());
      assert.equal(actual.length, expected.length, what);
      actual.forEach((value, k) => {
        assert.ok(Math.abs(value - expected[k]) <= 2e-5, `${what}: ${value}, not ${expected[k]}`);
      });
    }
  });
}

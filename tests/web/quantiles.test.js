// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ops, ready, tensor } from '../../dist/train.js';

const recorded = new URL('../fixtures/ops/quantiles.json', import.meta.url);
const { rows, cases } = JSON.parse(readFileSync(recorded, 'utf8'));
const numberOf = (text) => Number(text.replace('inf', 'Infinity'));

test('quantiles of infinite elements are those of Keras, by each method', async () => {
  await ready();
  const x = tensor(rows.map((row) => row.map(numberOf)));
  for (const { method, q, result } of cases) {
    const values = [...ops.quantile(x, q, { axis: -1, method }).data()];
    const expected = result.map(numberOf);
    for (const [i, value] of values.entries()) {
      const near = Object.is(value, expected[i]) || Math.abs(value - expected[i]) < 1e-6;
      assert.ok(near, `${method} ${q}, row ${i}: ${value}, not ${expected[i]}`);
    }
  }
});

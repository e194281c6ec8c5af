// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layers, ready, tensor } from '../../dist/index.js';

test('UnitNormalization divides by the length, or by 1e-12 if it is shorter', async () => {
  await ready();
  const rows = [
    [0, 0],
    [3, 4],
    [1e-9, 0],
  ];
  const result = layers.unitNormalization().apply(tensor(rows)).data();
  for (const [i, expected] of [0, 0, 0.6, 0.8, 1, 0].entries()) {
    assert.ok(Math.abs(result[i] - expected) < 1e-6, `${result[i]}, not ${expected}`);
  }
});

// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Input, layers, ready, tensor } from '../../dist/index.js';

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

test('an axis that the input does not have is refused when the graph is built', async () => {
  await ready();
  const input = Input({ shape: [5, 3] });
  for (const axis of [3, -4, [1, 3]])
    assert.throws(() => layers.unitNormalization({ axis }).apply(input), {
      name: 'ShapeError',
      message: /^unit_normalization(_\d+)?: axis -?\d is out of range for rank 3; use -3 to 2$/,
    });
});

// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../dist/train.js';
import { gradientFamilies, runGradients } from './support/gradients.js';

await mf.ready({ onMaskDropped: 'silent' });

// Fixtures with values only, which other tests read.
const withoutCases = ['regularizers'];

for (const family of gradientFamilies.filter((name) => !withoutCases.includes(name))) {
  test(`gradients of ${family} equal the recorded ones`, () => {
    const { problems, total } = runGradients(family);
    assert.ok(total > 0, 'the fixture contains cases');
    assert.deepEqual(problems, []);
  });
}

// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../dist/index.js';
import { families, runFamily } from './support/families.js';

for (const rule of ['keras-3.15', 'keras-3.16']) {
  for (const family of families) {
    test(`${family} equals the recorded numbers under ${rule}`, async () => {
      await mf.ready({ maskPropagation: rule, onMaskDropped: 'warn' });
      const result = runFamily(family, rule);
      assert.ok(result.total > 0, 'the fixture holds cases');
      assert.deepEqual(result.problems, []);
    });
  }
}

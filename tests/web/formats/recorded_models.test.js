// SPDX-License-Identifier: MIT
// The files that Keras wrote have the results, masks and warnings that Keras recorded.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as mf from '../../../dist/index.js';
import { checkModel, checkTrained, formats, trainedModels } from '../../support/models.js';
import { collectGarbage } from '../../support/garbage.js';
import { live } from '../../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'warn', maskPropagation: 'keras-3.15' }));

assert.deepEqual(
  formats.map(({ format, models }) => [format, models.length]),
  [
    ['.keras', 48],
    ['.weights.h5', 12],
    ['.h5', 12],
    ['.keras of 3.16', 19],
    ['.keras of 3.16, by option', 19],
  ],
);

for (const format of formats) {
  describe(format.format, () => {
    for (const entry of format.models) {
      test(entry.name, async () => {
        await collectGarbage();
        const start = live();
        const { problem } = await checkModel(format, entry);
        assert.equal(problem, null);
        assert.deepEqual(live(), start, 'all memory is freed');
      });
    }
  });
}

describe('trained models have the recorded outputs', () => {
  // Tolerance for outputs rounded to six digits; the sensor's are sums of many steps.
  const rounded = 5e-6;
  for (const name of trainedModels) {
    test(name, async () => {
      const { worst, examples } = await checkTrained(name);
      assert.equal(examples, 20);
      assert.ok(worst < rounded, `differs by ${worst}`);
    });
  }
});

// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../dist/index.js';
import { families, runFamily } from './support/families.js';
import { checkCase, readFixture } from './support/golden.js';

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

// Where Keras's own back ends differ, the one that is followed is written down case by case.
const { families: differing, recorded_on_numpy: onNumpy } = readFixture('backend_differences.json');

for (const [path, choices] of Object.entries(differing)) {
  test(`${path} follows the chosen back end where they differ`, async () => {
    await mf.ready({ maskPropagation: 'keras-3.15', onMaskDropped: 'warn' });
    const { backend, cases } = readFixture(`${path}.json`);
    for (const [name, { follows, choice }] of Object.entries(choices)) {
      const recorded = cases.find((item) => item.name === name);
      assert.ok(recorded, `${name} is a recorded case`);
      // On 'any' back end the call fails; elsewhere the recording is that of the one that is followed.
      assert.equal(follows, 'error' in recorded.expect ? 'any' : backend, name);
      assert.ok(choice.length > 20, `${name} says what was chosen`);
      assert.equal(checkCase(recorded).problem, null, name);
    }
  });
}

test('families recorded on NumPy are those in which it is followed', () => {
  for (const family of families) {
    const { backend } = readFixture(`layers/${family}.json`);
    assert.equal(onNumpy[`layers/${family}`]?.follows ?? 'torch', backend, family);
  }
});

// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../dist/index.js';
import { families, runFamily } from './support/families.js';
import { checkCase, readFixture } from './support/recorded_cases.js';

for (const rule of ['keras-3.15', 'keras-3.16']) {
  for (const family of families) {
    test(`${family} equals the recorded results under ${rule}`, async () => {
      await mf.ready({ maskPropagation: rule, onMaskDropped: 'warn' });
      const result = runFamily(family, rule);
      assert.ok(result.total > 0, 'the fixture contains cases');
      assert.deepEqual(result.problems, []);
    });
  }
}

// Where Keras's backends differ, a fixture names the followed one for each case.
const { families: differing, recorded_on_numpy: onNumpy } = readFixture('backend_differences.json');

for (const [path, choices] of Object.entries(differing)) {
  test(`${path} follows the chosen backend where they differ`, async () => {
    await mf.ready({ maskPropagation: 'keras-3.15', onMaskDropped: 'warn' });
    const { backend, cases } = readFixture(`${path}.json`);
    for (const [name, { follows, choice }] of Object.entries(choices)) {
      const recording = cases.find((item) => item.name === name);
      assert.ok(recording, `${name} is a recorded case`);
      // 'any' means that every backend but ours fails; otherwise the recording comes from the
      // followed backend.
      assert.equal(follows, 'error' in recording.expect ? 'any' : backend, name);
      assert.ok(choice.length > 20, `${name} says what was chosen`);
      assert.equal(checkCase(recording).problem, null, name);
    }
  });
}

test('exactly the families that follow NumPy are recorded on NumPy', () => {
  for (const family of families) {
    const { backend } = readFixture(`layers/${family}.json`);
    assert.equal(onNumpy[`layers/${family}`]?.follows ?? 'torch', backend, family);
  }
});

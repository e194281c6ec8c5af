// SPDX-License-Identifier: MIT
// Chapter 3: every example, and every other model that was recorded, against what Keras gave for the program on view.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pageModule, runChapter } from '../../support/page.js';

const { presets } = await pageModule("export * from './chapters/flow/presets.ts'");
const { compareWith } = await pageModule("export * from './chapters/flow/recorded.ts'");
const { keyOf } = await pageModule("export * from './chapters/flow/state.ts'");
const recorded = JSON.parse(
  readFileSync(new URL('../../fixtures/page/flow.json', import.meta.url), 'utf8'),
);

const rules = ['keras-3.15', 'keras-3.16'];
const setOf = (key) => {
  const [model, data = 'words', steps = ''] = key.split(' ');
  return { model, data, steps };
};

for (const rule of rules) {
  test(`masks, shapes and numbers of all recorded models are those of Keras ${recorded.versions[rule]}`, async (t) => {
    for (const key of Object.keys(recorded.models['keras-3.15'])) {
      await t.test(key, async () => {
        const { data } = await runChapter('flow', { set: { ...setOf(key), rules: rule } });
        const compared = compareWith(data, rule, key);
        assert.deepEqual(compared.different, []);
        assert.ok(compared.gap < 2e-6, `differs by ${compared.gap}`);
      });
    }
  });
}

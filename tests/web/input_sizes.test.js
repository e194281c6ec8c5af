// SPDX-License-Identifier: MIT
// Functional models accept the shapes that real Keras accepts: any batch, and a last axis of 1 on
// either side.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { loadModel, MaskflowError, ops, ready } from '../../dist/index.js';

before(() => ready());
const { models, cases } = JSON.parse(
  readFileSync(new URL('../fixtures/input_shapes/cases.json', import.meta.url), 'utf8'),
);

for (const [name, config] of Object.entries(models)) {
  describe(name, () => {
    for (const { shape, result } of cases.filter(({ model }) => model === name)) {
      test(`[${shape}] ${result ? `returns [${result}]` : 'is refused'}`, async () => {
        const model = await loadModel(new TextEncoder().encode(JSON.stringify(config)), {
          weights: null,
        });
        const options = { batchSize: shape[0] };
        if (result) assert.deepEqual(model.predict(ops.ones(shape), options).shape, result);
        else assert.throws(() => model.predict(ops.ones(shape), options), MaskflowError);
      });
    }
  });
}

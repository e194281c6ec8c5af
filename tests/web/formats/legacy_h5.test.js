// SPDX-License-Identifier: MIT
// The recorded models that Keras 3 also wrote as legacy `.h5`; Keras itself cannot load half of
// them. Their results are checked with the other recorded models.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as mf from '../../../dist/index.js';
import { readFixture, toTensor } from '../../support/recorded_cases.js';
import { formats } from '../../support/models.js';

await mf.ready();

const legacy = formats.find(({ format }) => format === '.h5');
assert.equal(legacy.models.length, 12);
const pathOf = (file) => fileURLToPath(new URL(`../../fixtures/models/${file}`, import.meta.url));

const list = (value) => (Array.isArray(value) ? value : [value]);

function outputsOf(model, recording) {
  const tensors = Object.entries(recording.inputs).map(([key, value]) => [key, toTensor(value)]);
  const [[, only]] = tensors;
  const several = Array.isArray(recording.inputs)
    ? tensors.map(([, tensor]) => tensor)
    : Object.fromEntries(tensors);
  const result = model.apply(
    tensors.length === 1 && Array.isArray(recording.inputs) ? only : several,
  );
  const outputs = result instanceof mf.Tensor ? [result] : list(Object.values(result));
  return outputs.map((output) => ({ values: output.array(), mask: output.mask?.array() ?? null }));
}

test('legacy .h5 and .keras of a model are equal under both mask rules', async (t) => {
  t.mock.method(console, 'warn', () => {});
  for (const { name, h5, keras } of legacy.models) {
    const recording = readFixture(`models/${name}.io.json`);
    for (const maskPropagation of ['keras-3.15', 'keras-3.16']) {
      const [old, today] = await Promise.all(
        [h5, keras].map((file) => mf.loadModel(pathOf(file), { maskPropagation })),
      );
      assert.deepEqual(
        outputsOf(old, recording),
        outputsOf(today, recording),
        `${name}, ${maskPropagation}`,
      );
    }
  }
});

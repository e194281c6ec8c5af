// SPDX-License-Identifier: MIT
// The saved settings of each layer class are those that Keras 3.15.1 writes, or at least accepts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import * as mf from '../../../dist/index.js';
import { layersByClass, recordedLayers } from '../../support/recorded_layers.js';

await mf.ready();

/**
 * Keys by class that no recorded case contains: keys that Keras writes, and keys that it accepts
 * but does not write.
 */
const accepted = JSON.parse(
  readFileSync(new URL('../../fixtures/saved/layer_keys.json', import.meta.url), 'utf8'),
);

/** A key that Keras writes but does not need when it loads a file. */
const leftOut = 'quantization_config';

const layers = new Map(layersByClass).set('InputLayer', {
  class_name: 'InputLayer',
  config: { batch_shape: [null, 2] },
});
// Keras 3 has no class ThresholdedReLU, so its keys cannot be compared.
layers.delete('ThresholdedReLU');

test('every layer class has a recorded case or a configuration', () => {
  const classes = Object.entries(mf)
    .filter(([, value]) => typeof value === 'function' && value.prototype instanceof mf.Layer)
    .map(([name]) => name)
    .filter((name) => !['Model', 'Sequential', 'Lambda', 'ThresholdedReLU'].includes(name));
  assert.deepEqual(
    classes.filter((name) => !layers.has(name)),
    [],
  );
});

for (const [className, serialized] of layers) {
  test(className, () => {
    const { writes, takes = [] } = {
      writes: Object.keys(recordedLayers.get(className)?.config ?? {}),
      ...accepted[className],
    };
    const keys = Object.keys(mf.deserializeLayer(serialized).getConfig());
    const refused = keys.filter((key) => !writes.includes(key) && !takes.includes(key));
    assert.deepEqual(refused, [], 'Keras would refuse them');
    const missing = writes.filter((key) => !keys.includes(key) && key !== leftOut);
    assert.deepEqual(missing, [], 'Keras writes them');
  });
}

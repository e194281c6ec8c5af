// SPDX-License-Identifier: MIT
// The layer classes, each with a serialized configuration: of a recorded case, as Keras wrote it,
// or of the list below.
import { readdirSync } from 'node:fs';

import { readFixture } from './recorded_cases.js';

const lstmCell = {
  class_name: 'LSTMCell',
  config: { units: 2 },
};

/** Configurations of layers without cases in tests/fixtures/layers. */
const unrecorded = {
  CategoryEncoding: { num_tokens: 3 },
  Discretization: { bin_boundaries: [0, 1] },
  Normalization: {},
  StackedRNNCells: { cells: [lstmCell] },
  ThresholdedReLU: {},
};

function readRecorded() {
  const layers = new Map();
  const folder = new URL('../fixtures/layers/', import.meta.url);
  for (const file of readdirSync(folder).sort()) {
    for (const { layer, expect } of readFixture(`layers/${file}`).cases) {
      if (layer && !expect.error && !layers.has(layer.class_name)) {
        layers.set(layer.class_name, layer);
      }
    }
  }
  return layers;
}

/** Serialized layers that Keras recorded, by class name: the first case of each class. */
export const recordedLayers = readRecorded();

/** A serialized layer of every class, by class name. */
export const layersByClass = new Map([
  ...recordedLayers,
  ...Object.entries(unrecorded).map(([name, config]) => [name, { class_name: name, config }]),
]);

// SPDX-License-Identifier: MIT
import { metrics, ready, tensor } from 'maskflow';

await ready();
const metric = metrics.meanSquaredError();
const steps = (values, mask) => tensor([values.map((value) => [value])]).withMask([mask]);
metric.updateState([[[0], [0]]], steps([1, 9], [true, false]));
metric.updateState([[[0], [0]]], steps([3, 3], [true, true]));
console.log(metric.result().toFixed(4)); // (1 + 9 + 9) / 3: over all steps that are kept
// → 6.3333

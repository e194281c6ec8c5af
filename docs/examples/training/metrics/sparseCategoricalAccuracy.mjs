// SPDX-License-Identifier: MIT
import { metrics, ready, tensor } from 'maskflow';

await ready();
const metric = metrics.sparseCategoricalAccuracy();
const scores = tensor([[[0.1, 0.9], [0.8, 0.2], [0.5, 0.5]]]).withMask([[true, true, false]]);
metric.updateState([[1, 1, 1]], scores); // right, wrong, padding
console.log(metric.result());
// → 0.5

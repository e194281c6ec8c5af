// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.falsePositives();
const mask = [[true, true, false]];
metric.updateState([[0, 0, 0]], [[0.9, 0.1, 0.9]], { mask }); // Keras ignores the mask here …
console.log(metric.result());
metric.resetState();
// … so give weights
metric.updateState([[0, 0, 0]], [[0.9, 0.1, 0.9]], { sampleWeight: [[1, 1, 0]] });
console.log(metric.result());
// → 2
// → 1

// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.truePositives();
metric.updateState([1, 0, 1, 1], [0.9, 0.8, 0.2, 0.7]);
console.log(metric.result());
// → 2

// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.mean();
metric.updateState([1, 2, 3]);
metric.updateState([10], { sampleWeight: [3] });
console.log(metric.result()); // (1 + 2 + 3 + 3 · 10) / 6
// → 6

// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.fBetaScore({ beta: 2, threshold: 0.5, average: 'micro' });
metric.updateState([[1], [1], [0]], [[0.9], [0.1], [0.1]]); // precision 1, recall 1/2
console.log(metric.result().toFixed(4)); // 5 · 1 · 0.5 / (4 · 1 + 0.5)
// → 0.5556

// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.cosineSimilarity();
metric.updateState([[1, 0], [1, 0]], [[5, 0], [0, 5]]); // as a metric 1 is best, as a loss -1
console.log(metric.result());
// → 0.5

// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.auc();
metric.updateState([0, 0, 1, 1], [0.1, 0.5, 0.3, 0.9]);
console.log(metric.result().toFixed(4)); // of the 4 pairs of a no and a yes 3 are in order
// → 0.7500

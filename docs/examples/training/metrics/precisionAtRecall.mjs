// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.precisionAtRecall({ recall: 1 }); // all must be found
metric.updateState([0, 0, 1, 1], [0.1, 0.5, 0.3, 0.9]);
console.log(metric.result().toFixed(4));
// → 0.6667

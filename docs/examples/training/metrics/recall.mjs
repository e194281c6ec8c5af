// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.recall();
metric.updateState([1, 0, 1, 1], [0.9, 0.8, 0.2, 0.7]);
console.log(metric.result().toFixed(4)); // of the 3 yes 2 are found
// → 0.6667

// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.falseNegatives({ thresholds: [0.1, 0.5] });
metric.updateState([1, 1, 0], [0.3, 0.9, 0.2]);
console.log(metric.result().join()); // one for each threshold
// → 0,1

// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.concordanceCorrelation();
metric.updateState([[1, 2, 3, 4]], [[2, 3, 4, 5]]); // in step, but 1 too high
console.log(metric.result().toFixed(4));
// → 0.7143

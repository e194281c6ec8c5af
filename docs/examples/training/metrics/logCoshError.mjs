// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.logCoshError();
metric.updateState([[0], [0]], [[100], [0]]);
console.log(metric.result().toFixed(4)); // (100 - log 2) / 2
// → 49.6534

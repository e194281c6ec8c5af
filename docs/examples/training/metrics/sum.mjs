// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.sum();
metric.updateState([1, 2, 3]);
metric.updateState([4]);
console.log(metric.result());
metric.resetState();
console.log(metric.result());
// → 10
// → 0

// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.r2Score();
metric.updateState([[1], [2], [3]], [[1], [2], [3]]);
console.log(metric.result());
metric.resetState();
metric.updateState([[1], [2], [3]], [[2], [2], [2]]); // always the mean: nothing is explained
console.log(metric.result());
// → 1
// → 0

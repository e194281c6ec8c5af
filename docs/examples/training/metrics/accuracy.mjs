// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.accuracy();
metric.updateState([[1], [2], [3], [4]], [[1], [2], [0], [4]]); // equal numbers
console.log(metric.result());
// → 0.75

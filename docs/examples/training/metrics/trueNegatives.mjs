// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.trueNegatives();
metric.updateState([0, 0, 1], [0.3, 0.9, 0.2]);
console.log(metric.result());
// → 1

// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.recallAtPrecision({ precision: 1 }); // nothing wrong may be called a yes
metric.updateState([0, 0, 1, 1], [0.1, 0.5, 0.3, 0.9]);
console.log(metric.result());
// → 0.5

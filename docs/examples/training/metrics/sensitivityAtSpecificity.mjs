// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
// No false alarm is allowed
const metric = metrics.sensitivityAtSpecificity({ specificity: 1 });
metric.updateState([0, 0, 1, 1], [0.1, 0.5, 0.3, 0.9]);
console.log(metric.result());
// → 0.5

// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.categoricalAccuracy();
metric.updateState([[0, 1], [1, 0]], [[0.4, 0.6], [0.3, 0.7]]);
console.log(metric.result());
// → 0.5

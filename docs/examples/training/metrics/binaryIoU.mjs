// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.binaryIoU({ targetClassIds: [1] });
metric.updateState([1, 1, 0, 0], [0.9, 0.1, 0.8, 0.2]);
console.log(metric.result().toFixed(4));
// → 0.3333

// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.meanIoU({ numClasses: 2 });
metric.updateState([0, 0, 1, 1], [0, 1, 1, 1]);
console.log(metric.result().toFixed(4)); // (1/2 + 2/3) / 2
// → 0.5833

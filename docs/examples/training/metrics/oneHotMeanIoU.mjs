// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.oneHotMeanIoU({ numClasses: 2 });
metric.updateState([[1, 0], [1, 0], [0, 1]], [[0.9, 0.1], [0.2, 0.8], [0.3, 0.7]]);
console.log(metric.result().toFixed(4));
// → 0.5000

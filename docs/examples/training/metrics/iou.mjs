// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.iou({ numClasses: 3, targetClassIds: [1] });
metric.updateState([1, 1, 2, 0], [1, 2, 2, 1]);
console.log(metric.result().toFixed(4)); // class 1: in both 1, in one of them 3
// → 0.3333

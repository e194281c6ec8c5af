// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.binaryAccuracy({ threshold: 0.7 });
metric.updateState([[1], [1], [0]], [[0.9], [0.6], [0.6]]);
console.log(metric.result().toFixed(4));
// → 0.6667

// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.rootMeanSquaredError();
metric.updateState([[0], [0]], [[3], [4]]);
console.log(metric.result().toFixed(4)); // sqrt((9 + 16) / 2)
// → 3.5355

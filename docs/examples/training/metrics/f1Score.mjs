// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.f1Score({ threshold: 0.5 });
metric.updateState([[1, 0], [1, 0], [0, 1]], [[0.9, 0], [0.1, 0], [0.1, 1]]);
console.log(metric.result().map((score) => score.toFixed(4)).join()); // one for each class
// → 0.6667,1.0000

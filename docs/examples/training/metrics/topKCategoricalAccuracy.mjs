// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.topKCategoricalAccuracy({ k: 2 });
metric.updateState([[0, 0, 1], [1, 0, 0]], [[0.5, 0.1, 0.4], [0.1, 0.5, 0.4]]);
console.log(metric.result());
// → 0.5

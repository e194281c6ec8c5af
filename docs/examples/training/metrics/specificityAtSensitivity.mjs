// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.specificityAtSensitivity({ sensitivity: 1 }); // all must be found
metric.updateState([0, 0, 1, 1], [0.1, 0.5, 0.3, 0.9]);
console.log(metric.result());
// → 0.5

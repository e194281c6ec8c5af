// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const metric = metrics.pearsonCorrelation();
metric.updateState([[1, 2, 3, 4]], [[10, 20, 30, 40]]); // a straight line, whatever its slope
console.log(metric.result().toFixed(4));
// → 1.0000

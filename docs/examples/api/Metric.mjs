// SPDX-License-Identifier: MIT
import { metrics, ready } from 'maskflow';

await ready();
const accuracy = metrics.binaryAccuracy();
accuracy.updateState([[1], [0]], [[0.9], [0.2]]);
accuracy.updateState([[1], [0]], [[0.4], [0.1]]); // batches add up
console.log(accuracy.result());
accuracy.resetState();
accuracy.updateState([[1]], [[0.7]]);
console.log(accuracy.result());
// → 0.75
// → 1

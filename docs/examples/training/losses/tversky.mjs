// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
const missing = [[[1, 1, 0, 0]], [[1, 0, 0, 0]]];
const extra = [[[1, 1, 0, 0]], [[1, 1, 1, 0]]];
const loss = (pair) => losses.tversky(...pair, { alpha: 0.1, beta: 0.9 }).item().toFixed(3);
console.log(loss(missing), loss(extra)); // what is too much costs more than what is missing
// → 0.091 0.310

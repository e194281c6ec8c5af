// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
const x = [[1, 2], [3, 6]];
console.log(ops.mean(x).item(), String(ops.mean(x, { axis: 1 }).data()));
// → 3 1.5,4.5

// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
const x = [[1, 5], [7, 2]];
console.log(ops.min(x).item(), String(ops.min(x, { axis: 0 }).data()));
// → 1 1,2

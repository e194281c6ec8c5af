// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
const x = [[1, 5], [7, 2]];
console.log(ops.max(x).item(), String(ops.max(x, { axis: 0 }).data()));
// → 7 7,5

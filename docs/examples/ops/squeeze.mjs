// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(ops.squeeze(ops.zeros([1, 3, 1])).shape.join());
console.log(ops.squeeze(ops.zeros([1, 3, 1]), { axis: -1 }).shape.join());
// → 3
// → 1,3

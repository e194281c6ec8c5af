// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(ops.moveaxis(ops.zeros([2, 3, 4]), 0, 2).shape.join());
// → 3,4,2

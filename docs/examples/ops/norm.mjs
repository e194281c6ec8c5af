// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(ops.norm([[3, 4], [0, 0]]).item());
console.log(String(ops.norm([[3, 4], [6, 8]], { axis: -1 })));
// → 5
// → [ 5 10]
// → shape (2), float32

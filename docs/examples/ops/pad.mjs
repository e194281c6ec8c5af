// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
const x = [[1, 2, 3]];
console.log(String(ops.pad(x, [[0, 0], [2, 1]])));
console.log(String(ops.pad(x, [[0, 0], [2, 2]], { mode: 'reflect' })));
console.log(String(ops.pad(x, [[0, 0], [0, 1]], { constantValues: -1 })));
// → [[0 0 1 2 3 0]]
// → shape (1, 6), float32
// → [[3 2 1 2 3 2 1]]
// → shape (1, 7), float32
// → [[ 1  2  3 -1]]
// → shape (1, 4), float32

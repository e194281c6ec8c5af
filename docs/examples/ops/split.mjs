// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
const [first, second] = ops.split([[1, 2, 3, 4]], 2, { axis: 1 }); // two halves
console.log(String(first.data()), '|', String(second.data()));
const parts = ops.split([[1, 2, 3, 4]], [1, 3], { axis: 1 }); // cut before 1 and before 3
console.log(parts.map((part) => String(part.data())).join(' | '));
// → 1,2 | 3,4
// → 1 | 2,3 | 4

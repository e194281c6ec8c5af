// SPDX-License-Identifier: MIT
import { ops, random, ready } from 'maskflow';

await ready();
const rows = [[1, 10], [2, 20], [3, 30]];
const shuffled = random.shuffle(rows, { seed: 1 });
console.log(shuffled.shape.join());
console.log(String(ops.sort(shuffled, { axis: 0 })) === String(ops.sort(rows, { axis: 0 }))); // whole rows move
// → 3,2
// → true

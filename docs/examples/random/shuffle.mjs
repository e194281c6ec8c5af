// SPDX-License-Identifier: MIT
import { ops, random, ready } from 'maskflow';

await ready();
const rows = [[1, 10], [2, 20], [3, 30]];
const shuffled = random.shuffle(rows, { seed: 1 });
console.log(shuffled.shape.join());
const [before, after] = [rows, shuffled].map((each) => ops.sort(each, { axis: 0 }));
console.log(String(before) === String(after)); // whole rows move
// → 3,2
// → true

// SPDX-License-Identifier: MIT
import { padSequences, ready } from 'maskflow';

await ready();
const rows = [[711, 632, 71], [73, 8, 3215, 55, 927]];
console.log(String(padSequences(rows, { padding: 'post' })));
console.log(String(padSequences(rows, { padding: 'post', truncating: 'post', maxlen: 4 })));
const points = [[[1, 2]], [[3, 4], [5, 6]]];
console.log(String(padSequences(points, { dtype: 'float32', value: -1 })));
// → [[ 711  632   71    0    0]
// →  [  73    8 3215   55  927]]
// → shape (2, 5), int32
// → [[ 711  632   71    0]
// →  [  73    8 3215   55]]
// → shape (2, 4), int32
// → [[[-1 -1]
// →   [ 1  2]]
// →  [[ 3  4]
// →   [ 5  6]]]
// → shape (2, 2, 2), float32

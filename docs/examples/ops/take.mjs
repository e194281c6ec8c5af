// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow';

await ready();
const table = [[0, 0], [1, 10], [2, 20]];
const ids = tensor([[2, 1]], { dtype: 'int32' });
console.log(String(ops.take(table, ids, { axis: 0 }))); // what an Embedding does
// → [[[ 2 20]
// →   [ 1 10]]]
// → shape (1, 2, 2), float32

// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow';

await ready();
const a = tensor([[1, 2], [3, 4]]);
console.log(String(ops.einsum('ij,jk->ik', a, a))); // the matrix product
console.log(String(ops.einsum('ii->i', a))); // the diagonal
console.log(String(ops.einsum('ij->', a))); // the sum of all
// → [[ 7 10]
// →  [15 22]]
// → shape (2, 2), float32
// → [1 4]
// → shape (2), float32
// → 10
// → shape (), float32

// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow';

await ready();
const x = tensor([[1, 2, 3], [4, 5, 6]]);
console.log(String(ops.getItem(x, [0]))); // x[0]
console.log(String(ops.getItem(x, ['...', -1]))); // x[..., -1]: the last step of each row
console.log(String(ops.getItem(x, [{}, { step: -1 }]))); // x[:, ::-1]
// → [1 2 3]
// → shape (3), float32
// → [3 6]
// → shape (2), float32
// → [[3 2 1]
// →  [6 5 4]]
// → shape (2, 3), float32

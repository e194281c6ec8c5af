// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow';

await ready();
const ids = tensor([[5, 7, 0], [3, 0, 0]], { dtype: 'int32' });
console.log(String(ops.countNonzero(ids, { axis: 1 }))); // lengths of padded rows
// → [2 1]
// → shape (2), int32

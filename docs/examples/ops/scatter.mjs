// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const positions = tensor([[0], [2], [0]], { dtype: 'int32' });
console.log(String(ops.scatter(positions, [1, 2, 10], [4])));
// → [11  0  2  0]
// → shape (4), float32

// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow';

await ready();
console.log(String(ops.onesLike(tensor([[5, 6]], { dtype: 'int32' }))));
// → [[1 1]]
// → shape (1, 2), int32

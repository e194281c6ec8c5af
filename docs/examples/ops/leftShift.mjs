// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
console.log(String(ops.leftShift(tensor([1, 3], { dtype: 'int32' }), tensor(1, { dtype: 'int32' }))));
// → [2 6]
// → shape (2), int32

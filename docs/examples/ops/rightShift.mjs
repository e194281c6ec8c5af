// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
console.log(String(ops.rightShift(tensor([9, 4], { dtype: 'int32' }), tensor(1, { dtype: 'int32' }))));
// → [4 2]
// → shape (2), int32

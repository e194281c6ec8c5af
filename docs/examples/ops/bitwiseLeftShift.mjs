// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
console.log(String(ops.bitwiseLeftShift(tensor([1, 3], { dtype: 'int32' }), tensor(4, { dtype: 'int32' }))));
// → [16 48]
// → shape (2), int32

// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
console.log(String(ops.bitwiseXor(tensor([12, 10], { dtype: 'int32' }), tensor(6, { dtype: 'int32' }))));
// → [10 12]
// → shape (2), int32

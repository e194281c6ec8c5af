// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
console.log(String(ops.bitwiseAnd(tensor([12, 10], { dtype: 'int32' }), tensor(6, { dtype: 'int32' }))));
// → [4 2]
// → shape (2), int32

// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
console.log(String(ops.bitwiseOr(tensor([12, 10], { dtype: 'int32' }), tensor(6, { dtype: 'int32' }))));
// → [14 14]
// → shape (2), int32

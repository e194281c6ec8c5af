// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
console.log(String(ops.bitwiseNot(tensor([-1, 7], { dtype: 'int32' }))));
// → [ 0 -8]
// → shape (2), int32

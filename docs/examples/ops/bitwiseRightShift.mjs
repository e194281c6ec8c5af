// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
console.log(String(ops.bitwiseRightShift(tensor([48, -16], { dtype: 'int32' }), tensor(4, { dtype: 'int32' }))));
// → [ 3 -1]
// → shape (2), int32

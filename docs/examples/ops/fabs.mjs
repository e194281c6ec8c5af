// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
console.log(String(ops.fabs(tensor([-1, 2], { dtype: 'int32' }))));
// → [1 2]
// → shape (2), float32

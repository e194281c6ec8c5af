// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
console.log(String(ops.lcm(tensor([4, 6], { dtype: 'int32' }), tensor(10, { dtype: 'int32' }))));
// → [20 30]
// → shape (2), int32

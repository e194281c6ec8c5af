// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
console.log(String(ops.ldexp([3, 5], tensor([2, -1], { dtype: 'int32' }))));
// → [ 12 2.5]
// → shape (2), float32

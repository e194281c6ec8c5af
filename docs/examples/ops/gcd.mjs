// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
console.log(String(ops.gcd(tensor([12, 7], { dtype: 'int32' }), tensor(18, { dtype: 'int32' }))));
// → [6 1]
// → shape (2), int32

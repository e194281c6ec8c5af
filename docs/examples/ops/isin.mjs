// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const ids = tensor([5, 0, 7], { dtype: 'int32' });
const tokens = tensor([0, 5], { dtype: 'int32' });
console.log(String(ops.isin(ids, tokens)));
// → [T T F]
// → shape (3), bool

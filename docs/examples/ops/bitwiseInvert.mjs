// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
console.log(String(ops.bitwiseInvert(tensor([0, 5], { dtype: 'int32' }))));
// → [-1 -6]
// → shape (2), int32

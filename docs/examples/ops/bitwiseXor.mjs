// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const [x, y] = [[12, 10], 6].map((value) => tensor(value, { dtype: 'int32' }));
console.log(String(ops.bitwiseXor(x, y)));
// → [10 12]
// → shape (2), int32

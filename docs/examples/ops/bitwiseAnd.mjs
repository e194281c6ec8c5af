// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const [x, y] = [[12, 10], 6].map((value) => tensor(value, { dtype: 'int32' }));
console.log(String(ops.bitwiseAnd(x, y)));
// → [4 2]
// → shape (2), int32

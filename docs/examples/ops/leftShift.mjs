// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const [x, y] = [[1, 3], 1].map((value) => tensor(value, { dtype: 'int32' }));
console.log(String(ops.leftShift(x, y)));
// → [2 6]
// → shape (2), int32

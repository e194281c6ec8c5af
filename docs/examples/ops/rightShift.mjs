// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const [x, y] = [[9, 4], 1].map((value) => tensor(value, { dtype: 'int32' }));
console.log(String(ops.rightShift(x, y)));
// → [4 2]
// → shape (2), int32

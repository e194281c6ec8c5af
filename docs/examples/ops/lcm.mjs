// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const [x, y] = [[4, 6], 10].map((value) => tensor(value, { dtype: 'int32' }));
console.log(String(ops.lcm(x, y)));
// → [20 30]
// → shape (2), int32

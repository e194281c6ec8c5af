// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const [x, y] = [[12, 7], 18].map((value) => tensor(value, { dtype: 'int32' }));
console.log(String(ops.gcd(x, y)));
// → [6 1]
// → shape (2), int32

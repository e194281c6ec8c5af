// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const [x, y] = [[1, 3], 4].map((value) => tensor(value, { dtype: 'int32' }));
console.log(String(ops.bitwiseLeftShift(x, y)));
// → [16 48]
// → shape (2), int32

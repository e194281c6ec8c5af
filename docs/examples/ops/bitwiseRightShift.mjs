// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const [x, y] = [[48, -16], 4].map((value) => tensor(value, { dtype: 'int32' }));
console.log(String(ops.bitwiseRightShift(x, y)));
// → [ 3 -1]
// → shape (2), int32

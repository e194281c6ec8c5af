// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow';

await ready();
const x = [[10, 20, 30], [40, 50, 60]];
const last = tensor([[2], [0]], { dtype: 'int32' }); // another place in each row
console.log(String(ops.takeAlongAxis(x, last, { axis: 1 })));
// → [[30]
// →  [40]]
// → shape (2, 1), float32

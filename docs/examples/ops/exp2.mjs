// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.exp2([-1, 0, 10])));
// → [ 0.5    1 1024]
// → shape (3), float32

// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.geomspace(1, 1000, { num: 4 })));
// → [   1   10  100 1000]
// → shape (4), float32

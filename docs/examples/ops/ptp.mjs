// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.ptp([[1, 5], [2, 9]], { axis: 1 })));
// → [4 7]
// → shape (2), float32

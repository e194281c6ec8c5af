// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.average([[1, 2, 3]], { axis: 1, weights: [3, 1, 0] })));
// → [1.25]
// → shape (1), float32

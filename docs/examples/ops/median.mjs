// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.median([[1, 9, 2], [4, 4, 5]], { axis: 1 })));
// → [2 4]
// → shape (2), float32

// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
console.log(String(ops.dstack([[[1, 2]], [[3, 4]]].map((rows) => tensor(rows)))));
// → [[[1 3]
// →   [2 4]]]
// → shape (1, 2, 2), float32

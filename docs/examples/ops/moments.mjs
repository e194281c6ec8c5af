// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const [mean, variance] = ops.moments([[1, 2], [3, 6]], 0);
console.log(String(mean), String(variance));
// → [2 4]
// → shape (2), float32 [1 4]
// → shape (2), float32

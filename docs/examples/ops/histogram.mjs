// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const [counts, limits] = ops.histogram([0, 1, 1, 2], { bins: 2 });
console.log(String(counts), String(limits));
// → [1 3]
// → shape (2), float32 [0 1 2]
// → shape (3), float32

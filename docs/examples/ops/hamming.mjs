// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.hamming(5)));
// → [0.08 0.54    1 0.54 0.08]
// → shape (5), float32

// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.logaddexp2([3], [3])));
// → [4]
// → shape (1), float32

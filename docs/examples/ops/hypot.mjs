// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.hypot([3], [4])));
// → [5]
// → shape (1), float32

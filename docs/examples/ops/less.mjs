// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.less([1, 2, 3], 2)));
// → [T F F]
// → shape (3), bool

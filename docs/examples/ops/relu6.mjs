// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.relu6([-1, 3, 9])));
// → [0 3 6]
// → shape (3), float32

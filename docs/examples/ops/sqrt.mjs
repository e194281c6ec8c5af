// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.sqrt([0, 9, -1])));
// → [  0   3 NaN]
// → shape (3), float32

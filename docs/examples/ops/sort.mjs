// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.sort([[3, 1, 2]])));
// → [[1 2 3]]
// → shape (1, 3), float32

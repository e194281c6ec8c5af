// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.ravel([[1, 2], [3, 4]])));
// → [1 2 3 4]
// → shape (4), float32

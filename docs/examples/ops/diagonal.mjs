// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.diagonal([[1, 2], [3, 4]])));
// → [1 4]
// → shape (2), float32

// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.hstack([[1, 2], [3]])));
// → [1 2 3]
// → shape (3), float32

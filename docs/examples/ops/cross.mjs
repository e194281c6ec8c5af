// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.cross([1, 0, 0], [0, 1, 0])));
// → [0 0 1]
// → shape (3), float32

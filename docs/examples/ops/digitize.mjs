// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.digitize([0.5, 3, 12], [1, 10])));
// → [0 1 2]
// → shape (3), int32

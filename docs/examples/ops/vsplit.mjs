// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
for (const part of ops.vsplit([[1, 2], [3, 4]], 2)) console.log(String(part.array()));
// → 1,2
// → 3,4

// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.signbit([-1, -0, 0, 2])));
// → [T T F F]
// → shape (4), bool

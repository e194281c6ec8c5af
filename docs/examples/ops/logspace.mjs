// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.logspace(0, 2, { num: 3 })));
// → [  1  10 100]
// → shape (3), float32

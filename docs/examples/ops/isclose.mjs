// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.isclose([1, 1], [1.000001, 1.1])));
console.log(String(ops.isclose([1], [1.1], { rtol: 0.2 })));
// → [T F]
// → shape (2), bool
// → [T]
// → shape (1), bool

// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.log10([0.1, 1, 1000])));
// → [-1  0  3]
// → shape (3), float32

// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.erfinv([0, 0.5, 1])));
// → [       0 0.476936 Infinity]
// → shape (3), float32

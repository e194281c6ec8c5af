// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.trapezoid([1, 2, 3])));
console.log(String(ops.trapezoid([1, 2, 3], { x: [0, 1, 3] })));
// → 4
// → shape (), float32
// → 6.5
// → shape (), float32

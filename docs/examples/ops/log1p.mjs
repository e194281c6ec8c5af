// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(ops.log1p([1e-6]).item().toPrecision(3));
console.log(ops.log(ops.add([1e-6], 1)).item().toPrecision(3)); // the sum has lost its digits
// → 0.00000100
// → 9.54e-7

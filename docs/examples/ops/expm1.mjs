// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(ops.expm1([1e-6]).item().toPrecision(3));
// The difference has lost its digits
console.log(ops.subtract(ops.exp([1e-6]), 1).item().toPrecision(3));
// → 0.00000100
// → 9.54e-7

// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
// Returns its input. In valueAndGradients and fit, no gradient passes through it.
console.log(String(ops.stopGradient([1, 2])));
// → [1 2]
// → shape (2), float32

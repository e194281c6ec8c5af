// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
// The same numbers; in valueAndGradients and fit, nothing before them is trained.
console.log(String(ops.stopGradient([1, 2])));
// → [1 2]
// → shape (2), float32

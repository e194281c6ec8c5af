// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.logSigmoid([-1000, 0, 1000]))); // log(sigmoid(-1000)) would be -infinity
// → [    -1000 -0.693147         0]
// → shape (3), float32

// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
// log(exp(1000)) would be infinite
console.log(String(ops.logsumexp([[0, 0], [1000, 0]], { axis: 1 })));
// → [0.693147     1000]
// → shape (2), float32

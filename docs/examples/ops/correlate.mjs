// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
// Where the pattern fits best.
const scores = ops.correlate([0, 0, 1, 2, 1, 0], [1, 2, 1]);
console.log(String(scores), ops.argmax(scores).item());
// → [1 4 6 4]
// → shape (4), float32 2

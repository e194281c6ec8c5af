// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const trace = ops.tensordot([[1, 2], [3, 4]], [[1, 0], [0, 1]]); // of their product
console.log(String(trace));
// → 5
// → shape (), float32

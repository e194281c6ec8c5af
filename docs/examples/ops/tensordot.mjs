// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.tensordot([[1, 2], [3, 4]], [[1, 0], [0, 1]]))); // the trace of their product
// → 5
// → shape (), float32

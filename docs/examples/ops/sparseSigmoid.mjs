// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.sparseSigmoid([-2, 0, 0.5, 2])));
// → [   0  0.5 0.75    1]
// → shape (4), float32

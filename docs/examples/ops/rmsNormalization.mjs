// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.rmsNormalization([[3, -4]])));
// → [[0.848528 -1.13137]]
// → shape (1, 2), float32

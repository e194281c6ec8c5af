// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.hanning(5)));
// → [  0 0.5   1 0.5   0]
// → shape (5), float32

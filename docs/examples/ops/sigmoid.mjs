// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.sigmoid([-1000, 0, 1000])));
// → [  0 0.5   1]
// → shape (3), float32

// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.clip([-5, 0.5, 5], 0, 1)));
// → [  0 0.5   1]
// → shape (3), float32

// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.sin([0, Math.PI / 2])));
// → [0 1]
// → shape (2), float32

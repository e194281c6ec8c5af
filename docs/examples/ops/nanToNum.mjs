// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.nanToNum([NaN, 1, Infinity], { posinf: 100 })));
// → [  0   1 100]
// → shape (3), float32

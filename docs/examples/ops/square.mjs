// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.square([-3, 0.5])));
// → [   9 0.25]
// → shape (2), float32

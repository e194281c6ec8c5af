// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.cos([0, Math.PI])));
// → [ 1 -1]
// → shape (2), float32

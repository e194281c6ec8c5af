// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(ops.foriLoop(0, 4, (i, sum) => ops.add(sum, i), 0).item());
// → 6

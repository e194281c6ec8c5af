// SPDX-License-Identifier: MIT
import { ops, random, ready } from 'maskflow';

await ready();
const ids = random.randint([2, 8], 1, 100, { seed: 1 }); // never 0, the id of padding
console.log(ids.shape.join(), ids.dtype, ops.min(ids).item() >= 1, ops.max(ids).item() <= 99);
// → 2,8 int32 true true

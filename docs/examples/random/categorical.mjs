// SPDX-License-Identifier: MIT
import { ops, random, ready } from 'maskflow';

await ready();
const logits = ops.log([[0.9, 0.1]]); // the first class nine times in ten
const drawn = random.categorical(logits, 1000, { seed: 1 });
console.log(drawn.shape.join(), drawn.dtype);
const share = ops.mean(ops.equal(drawn, 0)).item();
console.log(share > 0.85 && share < 0.95);
// → 1,1000 int32
// → true

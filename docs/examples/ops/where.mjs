// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow';

await ready();
const steps = tensor([1, NaN, 3]);
// A choice: the NaN does not show
console.log(String(ops.where([true, false, true], steps, 0)));
console.log(String(ops.multiply([1, 0, 1], steps))); // a product lets it through
// → [1 0 3]
// → shape (3), float32
// → [  1 NaN   3]
// → shape (3), float32

// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const [real, imaginary] = ops.rfft([1, 2, 3, 4]);
console.log(String(real), String(imaginary));
// → [10 -2 -2]
// → shape (3), float32 [0 2 0]
// → shape (3), float32

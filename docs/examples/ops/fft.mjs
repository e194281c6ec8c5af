// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const [real, imaginary] = ops.fft([tensor([1, 0, 0, 0]), ops.zeros([4])]);
console.log(String(real), String(imaginary));
// → [1 1 1 1]
// → shape (4), float32 [0 0 0 0]
// → shape (4), float32

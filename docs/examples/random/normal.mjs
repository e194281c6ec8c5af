// SPDX-License-Identifier: MIT
import { random, ready } from 'maskflow';

await ready();
const noise = random.normal([2, 3], { mean: 10, stddev: 0.5, seed: 1 });
console.log(noise.shape.join(), noise.dtype);
const again = random.normal([2, 3], { mean: 10, stddev: 0.5, seed: 1 });
console.log(String(noise) === String(again)); // the same seed, the same numbers
// → 2,3 float32
// → true

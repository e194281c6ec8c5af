// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready({ onMaskDropped: 'silent' });
const steps = layers.masking().apply([[[1, 2], [3, 4], [0, 0]]]);
const y = layers.flatten().apply(steps);
console.log(String(y));
console.log(y.mask); // no time axis is left that a mask could speak of
// → [[1 2 3 4 0 0]]
// → shape (1, 6), float32
// → null

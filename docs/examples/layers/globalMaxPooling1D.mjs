// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready({ onMaskDropped: 'silent' });
const pool = layers.globalMaxPooling1D();
console.log(String(pool.apply([[[-2, 7], [-4, 1]]])));
const steps = layers.masking().apply([[[-2], [-4], [0]]]);
console.log(String(pool.apply(steps))); // Keras lets padding take part: 0 wins
// → [[-2  7]]
// → shape (1, 2), float32
// → [[0]]
// → shape (1, 1), float32

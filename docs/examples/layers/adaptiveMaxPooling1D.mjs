// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const pool = layers.adaptiveMaxPooling1D({ outputSize: 2 });
console.log(String(pool.apply([[[1], [9], [2], [3], [4], [5]]])));
console.log(String(pool.apply([[[-1], [-2]]]))); // as many steps come out, however many go in
// → [[[9]
// →   [5]]]
// → shape (1, 2, 1), float32
// → [[[-1]
// →   [-2]]]
// → shape (1, 2, 1), float32

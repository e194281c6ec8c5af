// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const pool = layers.timeDistributed({ layer: layers.globalAveragePooling1D() });
const words = [[[[1], [3]], [[10], [30]], [[0], [0]]]]; // [batch, sentences, words, features]
console.log(String(pool.apply(words)));
// Each step got its part of the mask
console.log(String(pool.apply(layers.masking().apply(words)).mask));
// → [[[ 2]
// →   [20]
// →   [ 0]]]
// → shape (1, 3, 1), float32
// → [[[T T]
// →   [T T]
// →   [F F]]]
// → shape (1, 3, 2), bool

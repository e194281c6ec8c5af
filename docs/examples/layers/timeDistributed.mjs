// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const pool = layers.timeDistributed({ layer: layers.globalAveragePooling1D() });
const words = [[[[1], [3]], [[10], [0]]]]; // [batch, sentences, words, features]; 0 is padding
console.log(String(pool.apply(words)));
// Each sentence gets its part of the mask, and means its own words
console.log(String(pool.apply(layers.masking().apply(words))));
// → [[[2]
// →   [5]]]
// → shape (1, 2, 1), float32
// → [[[ 2]
// →   [10]]]
// → shape (1, 2, 1), float32
// → mask [[[T T]
// →        [T F]]]

// SPDX-License-Identifier: MIT
import { layers, ready, tensor } from 'maskflow';

await ready();
const a = tensor([[[1, 0], [0, 1], [1, 1]]]); // [batch, 3 steps, 2 features]
const b = tensor([[[2, 3], [4, 5]]]); // [batch, 2 steps, 2 features]
console.log(String(layers.dot({ axes: 2 }).apply([a, b]))); // each step of a with each of b
const cosine = layers.dot({ axes: 1, normalize: true });
console.log(cosine.apply([tensor([[3, 4]]), tensor([[6, 8]])]).item());
// → [[[2 4]
// →   [3 5]
// →   [5 9]]]
// → shape (1, 3, 2), float32
// → 1

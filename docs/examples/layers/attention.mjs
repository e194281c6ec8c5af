// SPDX-License-Identifier: MIT
import { layers, ready, tensor } from 'maskflow';

await ready();
const query = tensor([[[10, 0], [0, 10]]]);
const value = tensor([[[10, 0], [0, 10], [10, 10]]]);
const attention = layers.attention();
// Each query finds two steps and takes their mean
console.log(String(attention.apply([query, value])));
// The third one is hidden
console.log(String(attention.apply([query, value.withMask([[true, true, false]])])));
// → [[[10  5]
// →   [ 5 10]]]
// → shape (1, 2, 2), float32
// → [[[10  0]
// →   [ 0 10]]]
// → shape (1, 2, 2), float32

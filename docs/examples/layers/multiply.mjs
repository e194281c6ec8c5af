// SPDX-License-Identifier: MIT
import { layers, ready, tensor } from 'maskflow';

await ready();
const a = tensor([[[2], [2], [2]]]).withMask([[true, false, false]]);
const b = tensor([[[5], [5], [5]]]).withMask([[true, true, false]]);
// A masked step counts as 1; a step masked in both inputs results in 0
console.log(String(layers.multiply().apply([a, b])));
// → [[[10]
// →   [ 5]
// →   [ 0]]]
// → shape (1, 3, 1), float32
// → mask [[T T F]]

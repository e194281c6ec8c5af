// SPDX-License-Identifier: MIT
import { layers, ready, tensor } from 'maskflow';

await ready();
const scores = tensor([[0, 0, 5, 0]]);
const y = layers.softmax().apply(scores, { mask: [[true, true, false, false]] });
console.log(String(y)); // probability 0 where masked, whatever the score
// → [[0.5 0.5   0   0]]
// → shape (1, 4), float32
// → mask [[T T F F]]

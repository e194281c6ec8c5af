// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
console.log(String(layers.elu().apply([[-100, -1, 0, 2]])));
console.log(String(layers.elu({ alpha: 2 }).apply([[-100, -1, 0, 2]])));
// → [[       -1 -0.632121         0         2]]
// → shape (1, 4), float32
// → [[      -2 -1.26424        0        2]]
// → shape (1, 4), float32

// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
console.log(String(layers.unitNormalization().apply([[3, 4], [0, 5]])));
// → [[0.6 0.8]
// →  [  0   1]]
// → shape (2, 2), float32

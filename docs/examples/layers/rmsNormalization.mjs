// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const layer = layers.rmsNormalization({ epsilon: 0 });
// Divided by the root mean square, 5 both times; no mean is taken away
console.log(String(layer.apply([[1, 7], [-5, 5]])));
// → [[0.2 1.4]
// →  [ -1   1]]
// → shape (2, 2), float32

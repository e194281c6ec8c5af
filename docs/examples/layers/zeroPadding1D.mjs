// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready({ onMaskDropped: 'silent' });
const y = layers.zeroPadding1D({ padding: [1, 2] }).apply(layers.masking().apply([[[5], [6]]]));
console.log(String(y)); // these zeros are data: no mask says otherwise
console.log(y.mask);
// → [[[0]
// →   [5]
// →   [6]
// →   [0]
// →   [0]]]
// → shape (1, 5, 1), float32
// → null

// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const layer = layers.conv1DTranspose({
  filters: 1, kernelSize: 3, strides: 2, kernelInitializer: 'ones',
});
// 2 steps to 5; the copies overlap in the middle
console.log(String(layer.apply([[[1], [10]]])));
// → [[[ 1]
// →   [ 1]
// →   [11]
// →   [10]
// →   [10]]]
// → shape (1, 5, 1), float32

// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
// From 4 features to 2 heads of 3, at each step.
const layer = layers.einsumDense({
  equation: 'abc,cde->abde', outputShape: [null, 2, 3], kernelInitializer: 'ones',
});
const y = layer.apply([[[1, 2, 3, 4], [1, 1, 1, 1]]]);
console.log(String(y));
// → [[[[10 10 10]
// →    [10 10 10]]
// →   [[ 4  4  4]
// →    [ 4  4  4]]]]
// → shape (1, 2, 2, 3), float32

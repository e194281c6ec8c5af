// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const layer = layers.separableConv1D({
  filters: 1, kernelSize: 2, depthwiseInitializer: 'ones', pointwiseInitializer: 'ones',
});
// Along time by channel, then across the channels
console.log(String(layer.apply([[[1, 10], [2, 20], [3, 30]]])));
for (const { name, shape } of layer.weights) console.log(name, shape.join());
// → [[[33]
// →   [55]]]
// → shape (1, 2, 1), float32
// → depthwise_kernel 2,2,1
// → pointwise_kernel 1,2,1
// → bias 1

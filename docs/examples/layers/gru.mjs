// SPDX-License-Identifier: MIT
import { layers, ready, tensor } from 'maskflow';

await ready();
const layer = layers.gru({
  units: 1, kernelInitializer: 'ones', recurrentInitializer: 'ones', returnSequences: true,
});
const steps = tensor([[[1], [2], [3]]]);
console.log(String(layer.apply(steps)));
// 2 is left out; the output stands still
console.log(String(layer.apply(steps.withMask([[true, false, true]]))));
// → [[[0.204824]
// →   [0.281315]
// →   [ 0.30724]]]
// → shape (1, 3, 1), float32
// → [[[0.204824]
// →   [0.204824]
// →   [0.235694]]]
// → shape (1, 3, 1), float32
// → mask [[T F T]]

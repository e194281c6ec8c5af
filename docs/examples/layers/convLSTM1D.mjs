// SPDX-License-Identifier: MIT
import { layers, ready, tensor } from 'maskflow';

await ready();
const layer = layers.convLSTM1D({
  filters: 1, kernelSize: 2, returnSequences: true,
  kernelInitializer: 'ones', recurrentInitializer: 'zeros',
});
// Three frames of three positions with one channel each.
const frames = tensor([[[[1], [2], [3]], [[9], [9], [9]], [[0], [0], [0]]]]);
const y = layer.apply(frames, { mask: [[true, false, true]] });
console.log(String(y)); // the second frame is masked: the output stands still
// → [[[[0.703775]
// →    [0.753653]]
// →   [[0.703775]
// →    [0.753653]]
// →   [[0.299935]
// →    [0.310337]]]]
// → shape (1, 3, 2, 1), float32
// → mask [[T F T]]

// SPDX-License-Identifier: MIT
import { layers, ready, tensor } from 'maskflow';

await ready();
const layer = layers.simpleRNN({ // h' = x + h: a running sum
  units: 1, activation: 'linear', kernelInitializer: 'ones', recurrentInitializer: 'ones',
  returnSequences: true, returnState: true,
});
const x = tensor([[[1], [2], [4], [8]]]).withMask([[true, true, false, true]]);
const [sums, state] = layer.apply(x);
console.log(String(sums)); // 4 is never added
console.log(String(state));
// → [[[ 1]
// →   [ 3]
// →   [ 3]
// →   [11]]]
// → shape (1, 4, 1), float32
// → mask [[T T F T]]
// → [[11]]
// → shape (1, 1), float32

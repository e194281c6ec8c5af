// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const cell = layers.simpleRNNCell({
  units: 1, activation: 'linear', kernelInitializer: 'ones', recurrentInitializer: 'ones',
});
const steps = layers.masking().apply([[[1], [2], [0], [3]]]);
// A running sum; it repeats where masked
console.log(String(layers.rnn({ cell, returnSequences: true }).apply(steps)));
const zeros = layers.rnn({ cell, returnSequences: true, zeroOutputForMask: true });
console.log(String(zeros.apply(steps)));
// → [[[1]
// →   [3]
// →   [3]
// →   [6]]]
// → shape (1, 4, 1), float32
// → mask [[T T F T]]
// → [[[1]
// →   [3]
// →   [0]
// →   [6]]]
// → shape (1, 4, 1), float32
// → mask [[T T F T]]

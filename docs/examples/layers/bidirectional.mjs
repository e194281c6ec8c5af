// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const sum = layers.simpleRNN({ // h' = x + h: a running sum
  units: 1, activation: 'linear', returnSequences: true,
  kernelInitializer: 'ones', recurrentInitializer: 'ones',
});
const steps = layers.masking().apply([[[1], [2], [3], [0]]]);
// Forwards | backwards; 0 where masked
console.log(String(layers.bidirectional({ layer: sum }).apply(steps)));
// → [[[1 6]
// →   [3 5]
// →   [6 3]
// →   [0 0]]]
// → shape (1, 4, 2), float32
// → mask [[T T T F]]

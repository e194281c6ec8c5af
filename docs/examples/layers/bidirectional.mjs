// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const sum = layers.simpleRNN({ // h' = x + h: a running sum
  units: 1, activation: 'linear', kernelInitializer: 'ones', recurrentInitializer: 'ones', returnSequences: true,
});
const steps = layers.masking().apply([[[1], [2], [3], [0]]]);
console.log(String(layers.bidirectional({ layer: sum }).apply(steps))); // forwards | backwards; 0 where masked
// → [[[1 6]
// →   [3 5]
// →   [6 3]
// →   [0 0]]]
// → shape (1, 4, 2), float32
// → mask [[T T T F]]

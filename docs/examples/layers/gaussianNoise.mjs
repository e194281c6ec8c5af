// SPDX-License-Identifier: MIT
import { layers, ops, ready } from 'maskflow';

await ready({ seed: 1 });
const layer = layers.gaussianNoise({ stddev: 0.5 });
const tens = ops.full([1, 10000], 10);
console.log(layer.apply(tens).std().item());
const noisy = layer.apply(tens, { training: true });
console.log(noisy.mean().item().toFixed(0), noisy.std().item().toFixed(1));
// → 0
// → 10 0.5

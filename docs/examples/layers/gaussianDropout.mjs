// SPDX-License-Identifier: MIT
import { layers, ops, ready } from 'maskflow';

await ready({ seed: 1 });
const layer = layers.gaussianDropout({ rate: 0.2 });
const tens = ops.full([1, 10000], 10);
console.log(layer.apply(tens).std().item());
const noisy = layer.apply(tens, { training: true });
// 10 · sqrt(0.2 / 0.8)
console.log(noisy.mean().item().toFixed(0), noisy.std().item().toFixed(0));
// → 0
// → 10 5

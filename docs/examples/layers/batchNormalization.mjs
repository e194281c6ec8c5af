// SPDX-License-Identifier: MIT
import { layers, ready, tensor } from 'maskflow';

await ready();
const layer = layers.batchNormalization({ momentum: 0, epsilon: 0 });
const x = tensor([[[1], [3], [500]]]).withMask([[true, true, false]]);
const y = layer.apply(x, { training: true });
console.log(y.array().flat(2).slice(0, 2).map(Math.round).join(' '));
const [, , mean, variance] = layer.getWeights(); // gamma, beta, moving mean, moving variance
// The statistics are those of the kept steps: 500 does not count
console.log(mean.item().toFixed(3), variance.item().toFixed(3));
// → -1 1
// → 2.000 1.000

// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const inner = layers.dense({ units: 2, useBias: false });
const layer = layers.spectralNormalization({ layer: inner, powerIterations: 20 });
layer.build([null, 2]);
inner.setWeights([[[3, 0], [0, 6]]]);
console.log(String(layer.apply([[2, 2]]))); // predicting: the kernel as it is
// Divided by 6
console.log(layer.apply([[2, 2]], { training: true }).data().map((v) => Math.round(v * 100) / 100).join(' '));
// → [[ 6 12]]
// → shape (1, 2), float32
// → 1 2

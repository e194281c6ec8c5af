// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const inner = layers.dense({ units: 2, useBias: false });
const layer = layers.spectralNormalization({ layer: inner, powerIterations: 20 });
layer.build([null, 2]);
inner.setWeights([[[3, 0], [0, 6]]]);
console.log(String(layer.apply([[2, 2]]))); // predicting: the kernel as it is
const trained = layer.apply([[2, 2]], { training: true }).array().flat();
console.log(trained.map((value) => value.toFixed(2)).join(' ')); // divided by 6
// → [[ 6 12]]
// → shape (1, 2), float32
// → 1.00 2.00

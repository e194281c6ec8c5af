// SPDX-License-Identifier: MIT
import { layers, ops, ready } from 'maskflow';

await ready({ seed: 1 });
const layer = layers.alphaDropout({ rate: 0.5 });
const x = layers.activation({ activation: 'selu' }).apply(ops.linspace(-3, 3, { num: 10000 }));
console.log(String(layer.apply(x)) === String(x)); // predicting: nothing happens
const dropped = layer.apply(ops.zeros([10000]), { training: true });
// Two values: what is kept, and what stands for the rest
console.log(new Set(dropped.data()).size);
console.log(Math.abs(dropped.mean().item()) < 0.05); // chosen so that a mean of 0 stays 0
// → true
// → 2
// → true

// SPDX-License-Identifier: MIT
import { Input, layers, ready, Sequential, verify } from 'maskflow';

await ready();
const dense = layers.dense({ units: 1, kernelInitializer: 'ones' });
const model = new Sequential([Input({ shape: [2] }), dense]);
const { passed, outputs } = await verify(model, { inputs: [[[1, 2]]], outputs: [[[3.5]]] });
console.log(passed, outputs[0].outside, outputs[0].worst.absolute);
// → false 1 0.5

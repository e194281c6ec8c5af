// SPDX-License-Identifier: MIT
import { layers, optimizers, ready, tensor } from 'maskflow/train';

await ready();
const layer = layers.dense({ units: 1, useBias: false, kernelInitializer: 'ones' });
layer.build([null, 1]);
const optimizer = optimizers.adamW({ learningRate: 0.1, weightDecay: 0.5 });
optimizer.apply([tensor([[0]])], layer.trainableVariables);
console.log(layer.getWeights()[0].item().toFixed(4)); // no gradient: only decay, 1 - 0.1 · 0.5
// → 0.9500

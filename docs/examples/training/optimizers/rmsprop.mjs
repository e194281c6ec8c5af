// SPDX-License-Identifier: MIT
import { layers, optimizers, ready, tensor } from 'maskflow/train';

await ready();
const layer = layers.dense({ units: 2, useBias: false, kernelInitializer: 'zeros' });
layer.build([null, 1]);
const optimizer = optimizers.rmsprop({ learningRate: 0.1, rho: 0.75 });
optimizer.apply([tensor([[-1, -1000]])], layer.trainableVariables);
console.log(String(layer.getWeights()[0])); // g / sqrt(0.25 g²), whatever the gradient
// → [[0.2 0.2]]
// → shape (1, 2), float32

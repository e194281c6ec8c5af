// SPDX-License-Identifier: MIT
import { layers, optimizers, ready, tensor } from 'maskflow/train';

await ready();
const layer = layers.dense({ units: 1, useBias: false, kernelInitializer: 'zeros' });
layer.build([null, 1]);
const optimizer = optimizers.adamax({ learningRate: 0.1 });
optimizer.apply([tensor([[-100]])], layer.trainableVariables);
// Measured by the largest gradient so far
optimizer.apply([tensor([[-1]])], layer.trainableVariables);
console.log(layer.getWeights()[0].item().toFixed(4));
// → 0.1479

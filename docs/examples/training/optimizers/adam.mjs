// SPDX-License-Identifier: MIT
import { layers, optimizers, ready, tensor } from 'maskflow/train';

await ready();
const layer = layers.dense({ units: 2, useBias: false, kernelInitializer: 'zeros' });
layer.build([null, 1]);
const optimizer = optimizers.adam({ learningRate: 0.1 });
for (let step = 0; step < 3; step++)
  optimizer.apply([tensor([[-1, -1000]])], layer.trainableVariables);
// Steps are as large as the learning rate, whatever the gradient
console.log(String(layer.getWeights()[0]));
// → [[0.299997 0.299998]]
// → shape (1, 2), float32

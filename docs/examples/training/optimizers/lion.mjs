// SPDX-License-Identifier: MIT
import { layers, optimizers, ready, tensor } from 'maskflow/train';

await ready();
const layer = layers.dense({ units: 3, useBias: false, kernelInitializer: 'zeros' });
layer.build([null, 1]);
const lion = optimizers.lion({ learningRate: 0.1 });
lion.apply([tensor([[-0.001, 0, 1000]])], layer.trainableVariables);
console.log(String(layer.getWeights()[0])); // the sign alone
// → [[ 0.1    0 -0.1]]
// → shape (1, 3), float32

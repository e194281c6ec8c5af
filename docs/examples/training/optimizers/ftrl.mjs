// SPDX-License-Identifier: MIT
import { layers, optimizers, ready, tensor } from 'maskflow/train';

await ready();
const layer = layers.dense({ units: 2, useBias: false, kernelInitializer: 'zeros' });
layer.build([null, 1]);
const optimizer = optimizers.ftrl({ learningRate: 1, l1RegularizationStrength: 0.5 });
optimizer.apply([tensor([[-0.4, -4]])], layer.trainableVariables);
const [small, large] = layer.getWeights()[0].data();
console.log(small, large > 0); // what matters little stays exactly 0
// → 0 true

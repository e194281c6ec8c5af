// SPDX-License-Identifier: MIT
import { layers, optimizers, ready, tensor } from 'maskflow/train';

await ready();
const layer = layers.dense({ units: 1, useBias: false, kernelInitializer: 'zeros' });
layer.build([null, 1]);
const optimizer = optimizers.adagrad({ learningRate: 1, initialAccumulatorValue: 0 });
for (let step = 0; step < 4; step++) {
  const before = layer.getWeights()[0].item();
  optimizer.apply([tensor([[-5]])], layer.trainableVariables);
  console.log((layer.getWeights()[0].item() - before).toFixed(3)); // 1 / sqrt(n)
}
// → 1.000
// → 0.707
// → 0.577
// → 0.500

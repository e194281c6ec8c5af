// SPDX-License-Identifier: MIT
import { layers, optimizers, ready, tensor } from 'maskflow/train';

await ready();
const layer = layers.dense({ units: 1, useBias: false, kernelInitializer: 'zeros' });
layer.build([null, 1]);
const optimizer = optimizers.sgd({ learningRate: 1, momentum: 0.5 });
for (let step = 0; step < 4; step++) {
  // The gradient is -1 at each step.
  optimizer.apply([tensor([[-1]])], layer.trainableVariables);
  console.log(layer.getWeights()[0].item()); // steps grow: 1, 1.5, 1.75, …
}
// → 1
// → 2.5
// → 4.25
// → 6.125

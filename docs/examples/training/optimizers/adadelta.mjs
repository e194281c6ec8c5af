// SPDX-License-Identifier: MIT
import { layers, optimizers, ready, tensor } from 'maskflow/train';

await ready();
const layer = layers.dense({ units: 1, useBias: false, kernelInitializer: 'zeros' });
layer.build([null, 1]);
const optimizer = optimizers.adadelta({ learningRate: 1 });
const sizes = [];
for (let step = 0; step < 1000; step++) {
  const before = layer.getWeights()[0].item();
  optimizer.apply([tensor([[-1]])], layer.trainableVariables);
  sizes.push(layer.getWeights()[0].item() - before);
}
// No rate has to be found: steps of the size of those before
console.log([0, 99, 999].map((step) => sizes[step].toFixed(4)).join(' '));
// → 0.0014 0.0017 0.0027

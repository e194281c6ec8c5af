// SPDX-License-Identifier: MIT
import { layers, optimizers, ready, tensor } from 'maskflow/train';

await ready();
const optimizer = optimizers.lossScaleOptimizer({
  innerOptimizer: optimizers.sgd({ learningRate: 1 }), initialScale: 8,
});
const layer = layers.dense({ units: 1, useBias: false, kernelInitializer: 'zeros' });
layer.build([null, 1]);
optimizer.apply([tensor([[-16]])], layer.trainableVariables);
console.log(layer.getWeights()[0].item()); // the gradient of 8 times the loss
optimizer.apply([tensor([[Infinity]])], layer.trainableVariables);
console.log(layer.getWeights()[0].item(), optimizer.lossScale); // no step, and half the scale
// → 2
// → 2 4

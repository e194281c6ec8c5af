// SPDX-License-Identifier: MIT
import { layers, optimizers, ready, tensor } from 'maskflow/train';

await ready();
const variables = [1, 100].flatMap((size) => {
  const layer = layers.dense({
    units: 1,
    useBias: false,
    kernelInitializer: { class_name: 'Constant', config: { value: size } },
  });
  layer.build([null, 1]);
  return layer.trainableVariables;
});
const optimizer = optimizers.adafactor({ learningRate: 0.1 });
optimizer.apply([tensor([[1]]), tensor([[1]])], variables);
// A tenth of the weights, not of 1
console.log(variables.map((variable) => variable.value.item().toFixed(2)).join(' '));
// → 0.90 90.00

// SPDX-License-Identifier: MIT
import { callbacks, Input, layers, optimizers, ready, Sequential } from 'maskflow/train';

await ready();
const dense = layers.dense({ units: 1, kernelInitializer: 'zeros' });
const model = new Sequential([Input({ shape: [1] }), dense]);
const optimizer = optimizers.sgd({ learningRate: 0.01, useEma: true, emaMomentum: 0.9 });
model.compile({ optimizer, loss: 'mse' });
const data = [[[1], [2]], [[2], [4]]];
const { history } = await model.fit(...data, {
  epochs: 3,
  validationData: data,
  callbacks: [callbacks.swapEMAWeights()],
});
// The averages follow the weights slowly: after the second epoch, they are worse.
console.log(history.val_loss[1] > history.loss[2]);
// → true

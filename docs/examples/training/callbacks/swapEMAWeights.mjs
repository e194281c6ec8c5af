// SPDX-License-Identifier: MIT
import { callbacks, Input, layers, optimizers, ready, Sequential } from 'maskflow/train';

await ready();
const model = new Sequential([Input({ shape: [1] }), layers.dense({ units: 1 })]);
const optimizer = optimizers.sgd({ learningRate: 0.1, useEma: true, emaMomentum: 0.9 });
model.compile({ optimizer, loss: 'mse' });
const data = [[[1], [2]], [[2], [4]]];
const { history } = await model.fit(...data, {
  epochs: 2,
  validationData: data,
  callbacks: [callbacks.swapEMAWeights()],
});
// The averages follow the weights slowly: after the first epoch, they are worse.
console.log(history.val_loss[0] > history.loss[1]);
// → true

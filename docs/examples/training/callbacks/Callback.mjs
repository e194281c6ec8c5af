// SPDX-License-Identifier: MIT
import { Callback, Input, layers, ready, Sequential } from 'maskflow/train';

await ready();
class Watch extends Callback {
  onEpochEnd(epoch, logs) {
    console.log(epoch, Object.keys(logs).join());
    if (epoch === 1) this.model.stopTraining = true;
  }
}
const model = new Sequential([Input({ shape: [1] }), layers.dense({ units: 1 })]);
model.compile({ optimizer: 'sgd', loss: 'mse', metrics: ['mae'] });
const options = { epochs: 9, callbacks: [new Watch()] };
const { epoch } = await model.fit([[1], [2]], [[2], [4]], options);
console.log(epoch.length);
// → 0 loss,mae
// → 1 loss,mae
// → 2

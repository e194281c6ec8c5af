// SPDX-License-Identifier: MIT
import { callbacks, Input, layers, ready, Sequential } from 'maskflow/train';

await ready();
const model = new Sequential([Input({ shape: [1] }), layers.dense({ units: 1 })]);
model.compile({ optimizer: 'sgd', loss: 'mse' });
const told = callbacks.lambda({
  onEpochBegin: (epoch) => console.log('epoch', epoch),
  onBatchEnd: (batch) => console.log('batch', batch),
});
const x = [[1], [2], [3]];
await model.fit(x, x, { batchSize: 2, epochs: 2, callbacks: [told] });
// → epoch 0
// → batch 0
// → batch 1
// → epoch 1
// → batch 0
// → batch 1

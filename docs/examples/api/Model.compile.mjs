// SPDX-License-Identifier: MIT
import { Input, layers, optimizers, ready, Sequential } from 'maskflow/train';

await ready({ seed: 1 });
const model = new Sequential([Input({ shape: [1] }), layers.dense({ units: 1 })]);
model.compile({
  optimizer: optimizers.adam({ learningRate: 0.01 }),
  loss: { class_name: 'Huber', config: { delta: 2 } },
  metrics: ['mae'],
});
console.log(model.optimizer.className, model.optimizer.iterations);
// → Adam 0

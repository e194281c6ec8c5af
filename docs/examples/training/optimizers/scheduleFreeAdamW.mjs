// SPDX-License-Identifier: MIT
import { Input, layers, optimizers, ready, Sequential } from 'maskflow/train';

await ready();
const model = new Sequential([Input({ shape: [1] }), layers.dense({ units: 1, kernelInitializer: 'zeros' })]);
model.compile({ optimizer: optimizers.scheduleFreeAdamW({ learningRate: 0.5 }), loss: 'mse' });
const { history } = await model.fit([[0], [1], [2]], [[1], [3], [5]], { epochs: 300, shuffle: false });
// No schedule that has to know the end
console.log(history.loss[0] > 1, history.loss.at(-1) < 0.01);
// → true true

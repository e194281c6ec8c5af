// SPDX-License-Identifier: MIT
import { callbacks, Input, layers, optimizers, ready, Sequential } from 'maskflow/train';

await ready();
const model = new Sequential([Input({ shape: [1] }), layers.dense({ units: 1 })]);
model.compile({ optimizer: optimizers.sgd({ learningRate: 1 }), loss: 'mse' });
const halve = callbacks.learningRateScheduler((epoch, rate) => (epoch === 0 ? rate : rate / 2));
const { history } = await model.fit([[0]], [[0]], { epochs: 4, callbacks: [halve] });
console.log(history.learning_rate.join(' '));
// → 1 0.5 0.25 0.125

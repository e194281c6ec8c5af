// SPDX-License-Identifier: MIT
import { callbacks, Input, layers, optimizers, ready, Sequential } from 'maskflow/train';

await ready();
const dense = layers.dense({ units: 1, kernelInitializer: 'zeros' });
const model = new Sequential([Input({ shape: [1] }), dense]);
model.compile({ optimizer: optimizers.sgd({ learningRate: 1 }), loss: 'mse' });
const reduce = callbacks.reduceLROnPlateau({ monitor: 'loss', factor: 0.5, patience: 1 });
// The loss is 0 and stays so
const { history } = await model.fit([[0]], [[0]], { epochs: 4, callbacks: [reduce] });
console.log(history.learning_rate.join(' '));
// → 1 1 0.5 0.25

// SPDX-License-Identifier: MIT
import { Input, layers, optimizers, ready, Sequential } from 'maskflow/train';

await ready();
const dense = layers.dense({ units: 1, kernelInitializer: 'zeros' });
const model = new Sequential([Input({ shape: [1] }), dense]);
model.compile({ optimizer: optimizers.scheduleFreeAdamW({ learningRate: 0.5 }), loss: 'mse' });
const [x, y] = [[[0], [1], [2]], [[1], [3], [5]]];
const { history } = await model.fit(x, y, { epochs: 300, shuffle: false });
// No schedule that has to know the end
console.log(history.loss[0] > 1, history.loss.at(-1) < 0.01);
// → true true

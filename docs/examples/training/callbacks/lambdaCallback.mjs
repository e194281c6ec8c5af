// SPDX-License-Identifier: MIT
import { callbacks, Input, layers, ready, Sequential } from 'maskflow/train';

await ready();
const model = new Sequential([Input({ shape: [1] }), layers.dense({ units: 1 })]);
model.compile({ optimizer: 'sgd', loss: 'mse' });
const told = callbacks.lambdaCallback({ onTrainEnd: () => console.log('trained') });
await model.fit([[1], [2]], [[1], [2]], { callbacks: [told] });
// → trained

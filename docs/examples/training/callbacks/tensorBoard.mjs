// SPDX-License-Identifier: MIT
import { callbacks, Input, layers, ready, Sequential } from 'maskflow/train';

await ready();
const model = new Sequential([Input({ shape: [1] }), layers.dense({ units: 1 })]);
model.compile({ optimizer: 'sgd', loss: 'mse' });
const folders = new Set();
// In Node also a folder: 'logs/1', which `tensorboard --logdir logs` shows
const board = callbacks.tensorBoard((path) => folders.add(path.split('/')[0]));
const data = [[[1], [2]], [[2], [4]]];
await model.fit(...data, { epochs: 2, validationData: data, callbacks: [board] });
console.log([...folders].join(' '));
// → validation train

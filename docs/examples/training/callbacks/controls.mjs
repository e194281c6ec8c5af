// SPDX-License-Identifier: MIT
import { callbacks, Input, layers, ready, Sequential } from 'maskflow/train';

await ready();
const model = new Sequential([Input({ shape: [1] }), layers.dense({ units: 1 })]);
model.compile({ optimizer: 'sgd', loss: 'mse' });
const controls = callbacks.controls(); // what the buttons of a page call
const training = model.fit([[1], [2]], [[1], [2]], {
  epochs: 1000,
  callbacks: [controls],
  onEpochEnd: (epoch) => epoch === 2 && controls.stop(),
});
console.log((await training).epoch.length);
// → 3

// SPDX-License-Identifier: MIT
import { Input, layers, ready, Sequential } from 'maskflow/train';

await ready({ seed: 1 });
const model = new Sequential([Input({ shape: [1] }), layers.dense({ units: 1 })]);
model.compile({ optimizer: 'adam', loss: 'mse' });
const x = [[0], [1], [2], [3]];
const y = [[1], [3], [5], [7]]; // 2 x + 1
const { history } = await model.fit(x, y, { epochs: 5, validationSplit: 0.25, seed: 1 });
console.log(history.loss.length, history.loss[4] < history.loss[0], 'val_loss' in history);
// → 5 true true

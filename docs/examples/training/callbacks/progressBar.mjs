// SPDX-License-Identifier: MIT
import { callbacks, Input, layers, ready, Sequential } from 'maskflow/train';

await ready();
const model = new Sequential([Input({ shape: [1] }), layers.dense({ units: 1 })]);
model.compile({ optimizer: 'sgd', loss: 'mse' });
const seen = [];
// For an element <progress>
const bar = callbacks.progressBar(({ value, max }) => seen.push(`${value}/${max}`));
const x = [[1], [2], [3], [4]];
await model.fit(x, x, { batchSize: 2, epochs: 2, callbacks: [bar] });
console.log(seen.at(-1));
// → 4/4

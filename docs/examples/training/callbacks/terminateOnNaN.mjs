// SPDX-License-Identifier: MIT
import { callbacks, Input, layers, ready, Sequential } from 'maskflow/train';

await ready();
const model = new Sequential([Input({ shape: [1] }), layers.dense({ units: 1 })]);
model.compile({ optimizer: 'sgd', loss: 'mse' });
const rows = [[1], [NaN], [3], [4]];
const stop = callbacks.terminateOnNaN();
const options = { batchSize: 1, shuffle: false, epochs: 5, callbacks: [stop] };
const { epoch } = await model.fit(rows, [[1], [2], [3], [4]], options);
console.log(epoch.length); // ended at the second batch
// → Batch 1: Invalid loss, terminating training
// → 1

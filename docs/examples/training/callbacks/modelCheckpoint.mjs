// SPDX-License-Identifier: MIT
import { callbacks, Input, layers, ready, Sequential } from 'maskflow/train';

await ready();
const model = new Sequential([Input({ shape: [1] }), layers.dense({ units: 1 })]);
model.compile({ optimizer: 'sgd', loss: 'mse' });
const files = [];
const take = (bytes, { epoch }) => files.push(`epoch ${epoch}: ${bytes.length > 1000}`);
const keep = callbacks.modelCheckpoint(take);
// In Node also a path: 'e{epoch:02d}.keras'
await model.fit([[1], [2]], [[2], [4]], { epochs: 2, callbacks: [keep] });
console.log(files.join(' | '));
// → epoch 0: true | epoch 1: true

// SPDX-License-Identifier: MIT
import { callbacks, Input, layers, ready, Sequential } from 'maskflow/train';

await ready();
const model = new Sequential([Input({ shape: [1] }), layers.dense({ units: 1 })]);
model.compile({ optimizer: 'sgd', loss: 'mse' });
const files = [];
const keep = callbacks.modelCheckpoint((bytes, { epoch }) => files.push([epoch, bytes.length > 1000]));
// In Node also a path: 'e{epoch:02d}.keras'
await model.fit([[1], [2]], [[2], [4]], { epochs: 2, callbacks: [keep] });
console.log(String(files));
// → 0,true,1,true

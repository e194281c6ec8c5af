// SPDX-License-Identifier: MIT
import { callbacks, Input, layers, optimizers, ready, Sequential } from 'maskflow/train';

await ready();
const dense = layers.dense({ units: 1, kernelInitializer: 'ones' });
const model = new Sequential([Input({ shape: [1] }), dense]);
model.compile({ optimizer: optimizers.sgd({ learningRate: 0 }), loss: 'mse' });
const table = [];
// In Node also a path: 'log.csv'
const logger = callbacks.csvLogger((line) => table.push(line.trim()));
await model.fit([[1], [2]], [[2], [4]], { epochs: 2, callbacks: [logger] });
console.log(table.join('\n'));
// → epoch,loss,val_loss
// → 0,2.5,NA
// → 1,2.5,NA

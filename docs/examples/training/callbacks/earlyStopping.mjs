// SPDX-License-Identifier: MIT
import { callbacks, Input, layers, optimizers, ready, Sequential } from 'maskflow/train';

await ready();
const dense = layers.dense({ units: 1, kernelInitializer: 'ones' });
const model = new Sequential([Input({ shape: [1] }), dense]);
model.compile({ optimizer: optimizers.sgd({ learningRate: 0.5 }), loss: 'mse' });
const stopping = callbacks.earlyStopping({ monitor: 'loss', patience: 2 });
const x = [[1], [-1]]; // one step finds the weights: from the second epoch on the loss is 0
const { epoch } = await model.fit(x, [[3], [-3]], { epochs: 100, callbacks: [stopping] });
console.log(epoch.length, stopping.stoppedEpoch); // two epochs brought nothing better
// → 4 3

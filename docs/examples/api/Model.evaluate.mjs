// SPDX-License-Identifier: MIT
import { Input, layers, ready, Sequential } from 'maskflow';

await ready();
const dense = layers.dense({ units: 1, kernelInitializer: 'ones' });
const model = new Sequential([Input({ shape: [2] }), dense]);
const { loss, mae } = model.evaluate([[1, 2], [3, 4]], [[3], [8]], {
  loss: 'mse',
  metrics: ['mae'],
});
console.log(loss, mae);
// → 0.5 0.5

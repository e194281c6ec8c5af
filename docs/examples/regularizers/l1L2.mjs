// SPDX-License-Identifier: MIT
import { Input, layers, ready, regularizers, Sequential } from 'maskflow/train';

await ready();
const kernelRegularizer = regularizers.l1L2({ l1: 1, l2: 0.5 });
const kernelInitializer = () => [[1], [2]];
const dense = layers.dense({ units: 1, kernelInitializer, kernelRegularizer });
const model = new Sequential([Input({ shape: [2] }), dense]);
model.compile({ loss: 'meanSquaredError' });
const { loss } = await model.evaluate([[0, 0]], [[0]], { verbose: 0 });
console.log(loss); // 1 + 2 + 0.5 (1 + 4)
// → 5.5

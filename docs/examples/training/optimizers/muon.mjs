// SPDX-License-Identifier: MIT
import { layers, optimizers, ready, tensor } from 'maskflow/train';

await ready();
const layer = layers.dense({ units: 2, useBias: false, kernelInitializer: 'zeros' });
layer.build([null, 2]);
const gradient = tensor([[-100, 0], [0, -1]]); // a hundred times as steep in one direction
optimizers.muon({ learningRate: 0.1 }).apply([gradient], layer.trainableVariables);
const [a, , , b] = layer.getWeights()[0].data();
console.log((a / b).toFixed(0)); // the step is about as long in both
// → 1

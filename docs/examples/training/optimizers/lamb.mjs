// SPDX-License-Identifier: MIT
import { layers, optimizers, ready, tensor } from 'maskflow/train';

await ready();
const layer = layers.dense({ units: 2, useBias: false });
layer.build([null, 1]);
layer.setWeights([[[3, 4]]]); // norm 5
optimizers.lamb({ learningRate: 0.1 }).apply([tensor([[1, 1]])], layer.trainableVariables);
const [a, b] = layer.getWeights()[0].data();
console.log(Math.hypot(3 - a, 4 - b).toFixed(3)); // a tenth of the norm
// → 0.500

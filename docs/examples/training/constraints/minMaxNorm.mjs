// SPDX-License-Identifier: MIT
import { constraints, layers, ops, optimizers, ready } from 'maskflow/train';

await ready();
const kernelConstraint = constraints.minMaxNorm({ minValue: 1, maxValue: 2 });
const layer = layers.dense({ units: 2, useBias: false, kernelConstraint });
layer.build([null, 2]);
layer.setWeights([[[3, 0.3], [4, 0.4]]]); // columns of length 5 and 0.5
optimizers.sgd().apply([ops.zeros([2, 2])], layer.trainableVariables);
// Lengths 2 and 1
console.log(layer.getWeights()[0].array().flat().map((w) => w.toFixed(1)).join(' '));
// → 1.2 0.6 1.6 0.8

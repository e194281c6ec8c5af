// SPDX-License-Identifier: MIT
import { constraints, layers, ops, optimizers, ready } from 'maskflow/train';

await ready();
const kernelConstraint = constraints.unitNorm();
const layer = layers.dense({ units: 2, useBias: false, kernelConstraint });
layer.build([null, 2]);
layer.setWeights([[[3, 0], [4, 9]]]);
optimizers.sgd().apply([ops.zeros([2, 2])], layer.trainableVariables);
// Columns of length 1
console.log(layer.getWeights()[0].array().flat().map((w) => w.toFixed(1)).join(' '));
// → 0.6 0.0 0.8 1.0

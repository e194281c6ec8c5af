// SPDX-License-Identifier: MIT
import { constraints, layers, ops, optimizers, ready } from 'maskflow/train';

await ready();
const layer = layers.dense({
  units: 2, useBias: false, kernelConstraint: constraints.maxNorm({ maxValue: 1 }),
});
layer.build([null, 2]);
layer.setWeights([[[3, 0.3], [4, 0.4]]]); // columns of length 5 and 0.5
// Constraints act after a step
optimizers.sgd().apply([ops.zeros([2, 2])], layer.trainableVariables);
// Only the long one is shortened
console.log(layer.getWeights()[0].array().flat().map((w) => w.toFixed(1)).join(' '));
// → 0.6 0.3 0.8 0.4

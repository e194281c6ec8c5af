// SPDX-License-Identifier: MIT
import { constraints, layers, optimizers, ready, tensor } from 'maskflow/train';

await ready();
const kernelConstraint = constraints.nonNeg();
const layer = layers.dense({ units: 3, useBias: false, kernelConstraint });
layer.build([null, 1]);
layer.setWeights([[[1, 2, 3]]]);
optimizers.sgd({ learningRate: 2 }).apply([tensor([[1, 1, 1]])], layer.trainableVariables);
console.log(String(layer.getWeights()[0])); // 1 - 2 would be negative
// → [[0 0 1]]
// → shape (1, 3), float32

// SPDX-License-Identifier: MIT
import { layers, optimizers, ready, Sequential } from 'maskflow/train';
import { CRF, crfDecode, crfLoss } from 'maskflow/tags';

await ready({ seed: 1 });
const model = new Sequential([
  layers.embedding({ inputDim: 4, outputDim: 8, maskZero: true }),
  layers.bidirectional(layers.lstm({ units: 8, returnSequences: true })),
  layers.dense({ units: 2 }),
  new CRF(),
]);
model.compile({ optimizer: optimizers.adam({ learningRate: 0.05 }), loss: crfLoss });
const words = [[1, 2, 3, 0], [2, 3, 0, 0]]; // 0: padding
await model.fit(words, [[0, 1, 1, 0], [1, 1, 0, 0]], { epochs: 40, verbose: 0 });
console.log(String(crfDecode(model.predict(words)).tags));
// → [[0 1 1 0]
// →  [1 1 0 0]]
// → shape (2, 4), int32
// → mask [[T T T F]
// →       [T T F F]]

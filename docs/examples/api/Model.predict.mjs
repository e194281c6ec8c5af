// SPDX-License-Identifier: MIT
import { layers, padSequences, ready, Sequential } from 'maskflow';

await ready({ seed: 1 });
const model = new Sequential([
  layers.embedding({ inputDim: 10, outputDim: 4, maskZero: true }),
  layers.lstm({ units: 3 }),
]);
const x = padSequences([[1, 2, 3], [4, 5]], { padding: 'post' });
const y = model.predict(x, { batchSize: 1 });
console.log(y.shape.join(), y.mask);
// → 2,3 null

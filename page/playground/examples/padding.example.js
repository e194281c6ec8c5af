// SPDX-License-Identifier: MIT
// One sentence with more and more padding: with a mask the answer stays the same.
import { layers, padSequences, ready, Sequential } from 'maskflow';

await ready({ seed: 7 });
const model = new Sequential([
  layers.embedding({ inputDim: 5000, outputDim: 16, maskZero: true }),
  layers.lstm({ units: 32 }),
  layers.dense({ units: 1, activation: 'sigmoid' }),
]);
for (const maxlen of [3, 10, 100]) {
  const ids = padSequences([[711, 632, 71]], { padding: 'post', maxlen });
  console.log(`${maxlen} steps:`, model.predict(ids).item());
}

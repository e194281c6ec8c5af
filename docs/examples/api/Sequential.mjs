// SPDX-License-Identifier: MIT
import { Input, layers, ready, Sequential } from 'maskflow';

await ready({ seed: 1 });
const model = new Sequential([
  Input({ shape: [null], dtype: 'int32' }),
  layers.embedding({ inputDim: 10, outputDim: 4, maskZero: true }),
  layers.bidirectional({ layer: layers.lstm({ units: 3 }) }),
  layers.dense({ units: 1, activation: 'sigmoid' }),
]);
console.log(model.predict([[1, 2, 3, 0, 0]]).shape.join(), model.countParams());
// → 1,1 239

// SPDX-License-Identifier: MIT
import { Input, layers, Model, ready } from 'maskflow';

await ready({ seed: 1 });
const text = Input({ shape: [null], dtype: 'int32', name: 'text' });
const age = Input({ shape: [1], name: 'age' });
const embed = layers.embedding({ inputDim: 100, outputDim: 4, maskZero: true });
const joined = layers.concatenate().apply([layers.lstm({ units: 3 }).apply(embed.apply(text)), age]);
const model = new Model({ inputs: { text, age }, outputs: layers.dense({ units: 1 }).apply(joined) });
const y = model.predict({ text: [[4, 7, 0], [5, 0, 0]], age: [[0.3], [0.6]] });
console.log(y.shape.join());
// → 2,1

// SPDX-License-Identifier: MIT
import { Input, layers, Model, ready } from 'maskflow';

await ready({ seed: 1 });
const text = Input({ shape: [null], dtype: 'int32', name: 'text' });
const age = Input({ shape: [1], name: 'age' });
const embed = layers.embedding({ inputDim: 100, outputDim: 4, maskZero: true });
const read = layers.lstm({ units: 3 }).apply(embed.apply(text));
const joined = layers.concatenate().apply([read, age]);
const outputs = layers.dense({ units: 1 }).apply(joined);
const model = new Model({ inputs: { text, age }, outputs });
const y = model.predict({ text: [[4, 7, 0], [5, 0, 0]], age: [[0.3], [0.6]] });
console.log(y.shape.join());
// → 2,1
